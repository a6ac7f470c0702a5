#ifndef _UNISTD_H
#define _UNISTD_H
#include <pincer/types.h>
#include <stdint.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84
extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
extern char **environ;
_Noreturn void _exit(int);
unsigned int sleep(unsigned int);
int usleep(useconds_t);
unsigned int alarm(unsigned int);
int pause(void);
pid_t fork(void);
pid_t vfork(void);
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int setuid(uid_t);
int setgid(gid_t);
int access(const char *, int);
int chdir(const char *);
int chown(const char *, uid_t, gid_t);
int close(int);
int dup(int);
int dup2(int, int);
int pipe(int *);
int fsync(int);
int ftruncate(int, off_t);
int truncate(const char *, off_t);
int link(const char *, const char *);
int unlink(const char *);
int rmdir(const char *);
int isatty(int);
off_t lseek(int, off_t, int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
ssize_t readlink(const char *restrict, char *restrict, size_t);
char *getcwd(char *, size_t);
int gethostname(char *, size_t);
char *getlogin(void);
int getopt(int, char *const *, const char *);
int execl(const char *, const char *, ...);
int execlp(const char *, const char *, ...);
int execv(const char *, char *const *);
int execve(const char *, char *const *, char *const *);
int execvp(const char *, char *const *);
long sysconf(int);
int getpagesize(void);
char *crypt(const char *, const char *);
void *sbrk(intptr_t);
#endif
