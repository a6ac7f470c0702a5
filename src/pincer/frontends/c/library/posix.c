#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

int __pincer_succeeds(void) {
  if (__pincer_pick("failure of a call", -1, 0, 0) < 0) {
    __pincer_any_errno();
    return 0;
  }
  return 1;
}

int __pincer_filled(void *target, size_t size) {
  unsigned char *bytes = target;
  if (!__pincer_succeeds())
    return -1;
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)__pincer_pick("byte of a result", 0, 255, 0);
  return 0;
}

int stat(const char *name, struct stat *target) {
  __pincer_read_text(name);
  return __pincer_filled(target, sizeof(long) == 8 ? 144 : 88);
}

int lstat(const char *name, struct stat *target) {
  return stat(name, target);
}

int fstat(int file, struct stat *target) {
  return __pincer_filled(target, sizeof(long) == 8 ? 144 : 88);
}

int tcgetattr(int file, struct termios *target) {
  return __pincer_filled(target, 60);
}

int tcsetattr(int file, int actions, const struct termios *source) {
  __pincer_read_bytes(source, 60);
  return __pincer_succeeds() ? 0 : -1;
}

int uname(struct utsname *target) {
  char *texts = (char *)target;
  if (__pincer_filled(target, 390) < 0)
    return -1;
  for (int i = 0; i < 6; i++)
    texts[65 * i + 64] = 0;
  return 0;
}

void __pincer_text_of(char *target, size_t size) {
  size_t length = __pincer_pick_size("length of a name", 1, size - 1, 1);
  for (size_t i = 0; i < length; i++)
    target[i] = (char)__pincer_pick("character of a name", 1, 255, 'a');
  target[length] = 0;
}

char *getcwd(char *target, size_t size) {
  if (target == 0)
    __pincer_unsupported("getcwd that allocates memory");
  if (size < 2 || !__pincer_succeeds()) {
    if (size < 2)
      __pincer_any_errno();
    return 0;
  }
  __pincer_text_of(target, size);
  return target;
}

int gethostname(char *target, size_t size) {
  if (size < 2 || !__pincer_succeeds()) {
    if (size < 2)
      __pincer_any_errno();
    return -1;
  }
  __pincer_text_of(target, size);
  return 0;
}

ssize_t readlink(const char *name, char *target, size_t size) {
  __pincer_read_text(name);
  if (size == 0 || !__pincer_succeeds()) {
    if (size == 0)
      __pincer_any_errno();
    return -1;
  }
  size_t length = __pincer_pick_size("length of a name", 1, size, 1);
  for (size_t i = 0; i < length; i++)
    target[i] = (char)__pincer_pick("character of a name", 1, 255, 'a');
  return (ssize_t)length;
}

int mkstemp(char *name) {
  size_t length = strlen(name);
  if (length < 6 || strcmp(name + length - 6, "XXXXXX") != 0) {
    errno = 22;
    return -1;
  }
  if (!__pincer_succeeds())
    return -1;
  for (size_t i = length - 6; i < length; i++)
    name[i] = (char)__pincer_pick("character of a name", 'A', 'Z', 'a' - 32);
  return __pincer_pick("number of a file", 0, 1048575, 3);
}

int poll(struct pollfd *files, unsigned long count, int limit) {
  short *words = (short *)files;
  int ready = 0;
  if (!__pincer_succeeds())
    return -1;
  for (unsigned long i = 0; i < count; i++) {
    short events = (short)__pincer_pick("events of a file", 0, 32767, 0);
    words[4 * i + 3] = (short)(events & (words[4 * i + 2] | 56));
    ready += words[4 * i + 3] != 0;
  }
  return ready;
}
