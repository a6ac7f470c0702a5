#ifndef _GRP_H
#define _GRP_H
#include <pincer/types.h>
struct group {
  char *gr_name;
  char *gr_passwd;
  gid_t gr_gid;
  char **gr_mem;
};
struct group *getgrnam(const char *);
struct group *getgrgid(gid_t);
int getgrnam_r(const char *restrict, struct group *restrict, char *restrict, size_t, struct group **restrict);
int getgrgid_r(gid_t, struct group *restrict, char *restrict, size_t, struct group **restrict);
struct group *getgrent(void);
void setgrent(void);
void endgrent(void);
int setgroups(size_t, const gid_t *);
int initgroups(const char *, gid_t);
int getgrouplist(const char *, gid_t, gid_t *, int *);
#endif
