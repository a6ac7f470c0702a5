#ifndef _UNISTD_H
#define _UNISTD_H
#include <features.h>
#include <pincer/types.h>
#include <stdint.h>
#include <getopt.h>
#define _POSIX_VERSION 200809L
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
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
#define _SC_ARG_MAX 0
#define _SC_CHILD_MAX 1
#define _SC_CLK_TCK 2
#define _SC_NGROUPS_MAX 3
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_IOV_MAX 60
#define _SC_LOGIN_NAME_MAX 71
#define _SC_GETPW_R_SIZE_MAX 70
#define _SC_GETGR_R_SIZE_MAX 69
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
#define _SC_HOST_NAME_MAX 180
#define _SC_LEVEL1_DCACHE_LINESIZE 190
#define _PC_LINK_MAX 0
#define _PC_NAME_MAX 3
#define _PC_PATH_MAX 4
#define _PC_PIPE_BUF 5
extern char **environ;
_Noreturn void _exit(int);
unsigned int sleep(unsigned int);
int usleep(useconds_t);
unsigned int alarm(unsigned int);
useconds_t ualarm(useconds_t, useconds_t);
int pause(void);
pid_t fork(void);
pid_t vfork(void);
pid_t getpid(void);
pid_t getppid(void);
pid_t getpgid(pid_t);
pid_t getpgrp(void);
pid_t getsid(pid_t);
pid_t setsid(void);
int setpgid(pid_t, pid_t);
pid_t tcgetpgrp(int);
int tcsetpgrp(int, pid_t);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int getgroups(int, gid_t *);
int setuid(uid_t);
int seteuid(uid_t);
int setreuid(uid_t, uid_t);
int setgid(gid_t);
int setegid(gid_t);
int setregid(gid_t, gid_t);
int setresuid(uid_t, uid_t, uid_t);
int setresgid(gid_t, gid_t, gid_t);
int access(const char *, int);
int faccessat(int, const char *, int, int);
int chdir(const char *);
int fchdir(int);
int chroot(const char *);
int chown(const char *, uid_t, gid_t);
int fchown(int, uid_t, gid_t);
int lchown(const char *, uid_t, gid_t);
int fchownat(int, const char *, uid_t, gid_t, int);
int close(int);
int dup(int);
int dup2(int, int);
int pipe(int *);
int fsync(int);
int fdatasync(int);
void sync(void);
int ftruncate(int, off_t);
int truncate(const char *, off_t);
int lockf(int, int, off_t);
int link(const char *, const char *);
int linkat(int, const char *, int, const char *, int);
int symlink(const char *, const char *);
int symlinkat(const char *, int, const char *);
int unlink(const char *);
int unlinkat(int, const char *, int);
int rmdir(const char *);
int isatty(int);
char *ttyname(int);
int ttyname_r(int, char *, size_t);
off_t lseek(int, off_t, int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
ssize_t readlink(const char *restrict, char *restrict, size_t);
ssize_t readlinkat(int, const char *restrict, char *restrict, size_t);
char *getcwd(char *, size_t);
char *getwd(char *);
int gethostname(char *, size_t);
int sethostname(const char *, size_t);
int getdomainname(char *, size_t);
long gethostid(void);
char *getlogin(void);
int getlogin_r(char *, size_t);
char *getpass(const char *);
int execl(const char *, const char *, ...);
int execlp(const char *, const char *, ...);
int execle(const char *, const char *, ...);
int execv(const char *, char *const *);
int execve(const char *, char *const *, char *const *);
int execvp(const char *, char *const *);
int fexecve(int, char *const *, char *const *);
int daemon(int, int);
int nice(int);
int acct(const char *);
int vhangup(void);
long sysconf(int);
long pathconf(const char *, int);
long fpathconf(int, int);
size_t confstr(int, char *, size_t);
int getpagesize(void);
int getdtablesize(void);
char *crypt(const char *, const char *);
void swab(const void *restrict, void *restrict, ssize_t);
int brk(void *);
void *sbrk(intptr_t);
int getentropy(void *, size_t);
long syscall(long, ...);
#ifdef __USE_GNU
int pipe2(int *, int);
int dup3(int, int, int);
pid_t gettid(void);
int execvpe(const char *, char *const *, char *const *);
char *get_current_dir_name(void);
#endif
#endif
