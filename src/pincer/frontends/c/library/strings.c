#include <ctype.h>
#include <string.h>
#include <strings.h>

void bcopy(const void *source, void *target, size_t count) {
  memmove(target, source, count);
}

void bzero(void *target, size_t count) {
  memset(target, 0, count);
}

int bcmp(const void *left, const void *right, size_t count) {
  return memcmp(left, right, count);
}

int ffs(int value) {
  if (value == 0)
    return 0;
  int number = 1;
  unsigned int rest = (unsigned int)value;
  while ((rest & 1u) == 0) {
    rest >>= 1;
    number++;
  }
  return number;
}

char *index(const char *string, int character) {
  return strchr(string, character);
}

char *rindex(const char *string, int character) {
  return strrchr(string, character);
}

int __sign_of_strcasecmp(const char *left, const char *right) {
  size_t i = 0;
  while (left[i] != 0 && tolower((unsigned char)left[i]) == tolower((unsigned char)right[i]))
    i++;
  return tolower((unsigned char)left[i]) - tolower((unsigned char)right[i]);
}

int strcasecmp(const char *left, const char *right) {
  return __any_of_sign(__sign_of_strcasecmp(left, right));
}

int __sign_of_strncasecmp(const char *left, const char *right, size_t count) {
  for (size_t i = 0; i < count; i++) {
    int difference = tolower((unsigned char)left[i]) - tolower((unsigned char)right[i]);
    if (difference != 0 || left[i] == 0)
      return difference;
  }
  return 0;
}

int strncasecmp(const char *left, const char *right, size_t count) {
  return __any_of_sign(__sign_of_strncasecmp(left, right, count));
}

int ffsl(long value) {
  return ffsll(value);
}

int ffsll(long long value) {
  int number = 1;
  unsigned long long rest = (unsigned long long)value;
  if (rest == 0)
    return 0;
  while ((rest & 1u) == 0) {
    rest >>= 1;
    number++;
  }
  return number;
}
