#ifndef _SYS_SHM_H
#define _SYS_SHM_H
#include <sys/ipc.h>
#define SHM_R 0400
#define SHM_W 0200
#define SHM_RDONLY 010000
#define SHM_RND 020000
#define SHM_REMAP 040000
#define SHM_EXEC 0100000
#define SHM_HUGETLB 04000
typedef unsigned long shmatt_t;
struct shmid_ds {
  struct ipc_perm shm_perm;
  size_t shm_segsz;
#if __SIZEOF_POINTER__ == 8
  time_t shm_atime;
  time_t shm_dtime;
  time_t shm_ctime;
#else
  time_t shm_atime;
  unsigned long __shm_atime_high;
  time_t shm_dtime;
  unsigned long __shm_dtime_high;
  time_t shm_ctime;
  unsigned long __shm_ctime_high;
#endif
  pid_t shm_cpid;
  pid_t shm_lpid;
  shmatt_t shm_nattch;
  unsigned long __reserved4;
  unsigned long __reserved5;
};
int shmget(key_t, size_t, int);
void *shmat(int, const void *, int);
int shmdt(const void *);
int shmctl(int, int, struct shmid_ds *);
#endif
