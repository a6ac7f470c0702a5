#include <errno.h>
#include <signal.h>

int sigemptyset(void *set) {
  memset(set, 0, 128);
  return 0;
}

int sigfillset(void *set) {
  memset(set, 255, 128);
  return 0;
}

int __pincer_is_signal(int number) {
  if (number > 0 && number < 65)
    return 1;
  errno = 22;
  return 0;
}

int sigaddset(void *set, int number) {
  unsigned char *bytes = set;
  if (!__pincer_is_signal(number))
    return -1;
  bytes[(number - 1) / 8] = (unsigned char)(bytes[(number - 1) / 8] | 1 << (number - 1) % 8);
  return 0;
}

int sigdelset(void *set, int number) {
  unsigned char *bytes = set;
  if (!__pincer_is_signal(number))
    return -1;
  bytes[(number - 1) / 8] = (unsigned char)(bytes[(number - 1) / 8] & ~(1 << (number - 1) % 8));
  return 0;
}

int sigismember(const void *set, int number) {
  const unsigned char *bytes = set;
  if (!__pincer_is_signal(number))
    return -1;
  return bytes[(number - 1) / 8] >> (number - 1) % 8 & 1;
}
