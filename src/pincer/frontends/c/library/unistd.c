#include <errno.h>
#include <unistd.h>

ssize_t __pincer_fill_from_file(void *target, size_t size) {
  unsigned char *bytes = target;
  size_t most = size < 2147479552 ? size : 2147479552;
  long count = __pincer_pick_long("number of bytes read", -1, (long)most, 0);
  if (count < 0) {
    __pincer_any_errno();
    return -1;
  }
  for (long i = 0; i < count; i++)
    bytes[i] = (unsigned char)__pincer_pick("byte read", 0, 255, 0);
  return count;
}

ssize_t read(int file, void *target, size_t size) {
  return __pincer_fill_from_file(target, size);
}

ssize_t pread(int file, void *target, size_t size, off_t offset) {
  return __pincer_fill_from_file(target, size);
}

ssize_t recv(int file, void *target, size_t size, int flags) {
  return __pincer_fill_from_file(target, size);
}

ssize_t getrandom(void *target, size_t size, unsigned int flags) {
  return __pincer_fill_from_file(target, size);
}

ssize_t __pincer_take_for_file(const void *source, size_t size) {
  size_t most = size < 2147479552 ? size : 2147479552;
  __pincer_read_bytes(source, size);
  long count = __pincer_pick_long("number of bytes written", -1, (long)most, (long)most);
  if (count < 0)
    __pincer_other_errno();
  return count;
}

ssize_t write(int file, const void *source, size_t size) {
  return __pincer_take_for_file(source, size);
}

ssize_t pwrite(int file, const void *source, size_t size, off_t offset) {
  return __pincer_take_for_file(source, size);
}

ssize_t send(int file, const void *source, size_t size, int flags) {
  return __pincer_take_for_file(source, size);
}

off_t lseek(int file, off_t offset, int whence) {
  long position = __pincer_pick_long("position in a file", -1, (long)(~0UL >> 1), 0);
  if (position < 0)
    __pincer_any_errno();
  else if (whence == 0)
    position = offset;
  return position;
}

int pipe(int *files) {
  if (__pincer_pick("failure of pipe", -1, 0, 0) < 0) {
    __pincer_any_errno();
    return -1;
  }
  files[0] = __pincer_pick("number of a file", 0, 1048575, 3);
  files[1] = __pincer_pick("number of a file", 0, 1048575, 4);
  __pincer_assume(files[0] != files[1]);
  return 0;
}

unsigned htonl(unsigned number) {
  return number >> 24 | (number >> 8 & 0xff00u) | (number << 8 & 0xff0000u) | number << 24;
}

unsigned ntohl(unsigned number) {
  return htonl(number);
}

unsigned short htons(unsigned short number) {
  return (unsigned short)(number >> 8 | (unsigned)number << 8);
}

unsigned short ntohs(unsigned short number) {
  return htons(number);
}
