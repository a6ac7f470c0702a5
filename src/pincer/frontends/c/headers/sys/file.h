#ifndef _SYS_FILE_H
#define _SYS_FILE_H
#include <fcntl.h>
#define L_SET 0
#define L_INCR 1
#define L_XTND 2
int flock(int, int);
#endif
