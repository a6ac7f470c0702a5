#ifndef _SYS_MSG_H
#define _SYS_MSG_H
#include <sys/ipc.h>
#define MSG_NOERROR 010000
#define MSG_EXCEPT 020000
struct msqid_ds;
int msgget(key_t, int);
int msgctl(int, int, struct msqid_ds *);
int msgsnd(int, const void *, size_t, int);
ssize_t msgrcv(int, void *, size_t, long, int);
#endif
