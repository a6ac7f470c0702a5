#include <stdlib.h>
#include <string.h>

void *memcpy(void *target, const void *source, size_t count) {
  unsigned char *to = target;
  const unsigned char *from = source;
  for (size_t i = 0; i < count; i++)
    to[i] = from[i];
  return target;
}

void *mempcpy(void *target, const void *source, size_t count) {
  memcpy(target, source, count);
  return (unsigned char *)target + count;
}

void *memmove(void *target, const void *source, size_t count) {
  unsigned char *to = target;
  const unsigned char *from = source;
  if ((size_t)to < (size_t)from) {
    for (size_t i = 0; i < count; i++)
      to[i] = from[i];
  } else {
    for (size_t i = count; i > 0; i--)
      to[i - 1] = from[i - 1];
  }
  return target;
}

void *memset(void *target, int byte, size_t count) {
  unsigned char *to = target;
  for (size_t i = 0; i < count; i++)
    to[i] = (unsigned char)byte;
  return target;
}

int __any_of_sign(int difference) {
  if (difference == 0)
    return 0;
  if (difference < 0)
    return __pincer_pick("result of a comparison", -2147483647 - 1, -1, -1);
  return __pincer_pick("result of a comparison", 1, 2147483647, 1);
}

int __sign_of_memcmp(const void *left, const void *right, size_t count) {
  const unsigned char *a = left;
  const unsigned char *b = right;
  for (size_t i = 0; i < count; i++) {
    if (a[i] != b[i])
      return a[i] - b[i];
  }
  return 0;
}

int memcmp(const void *left, const void *right, size_t count) {
  return __any_of_sign(__sign_of_memcmp(left, right, count));
}

void *memchr(const void *object, int byte, size_t count) {
  const unsigned char *bytes = object;
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] == (unsigned char)byte)
      return (void *)(bytes + i);
  }
  return 0;
}

void *memrchr(const void *object, int byte, size_t count) {
  const unsigned char *bytes = object;
  for (size_t i = count; i > 0; i--) {
    if (bytes[i - 1] == (unsigned char)byte)
      return (void *)(bytes + i - 1);
  }
  return 0;
}

size_t strlen(const char *string) {
  size_t length = 0;
  while (string[length] != 0)
    length++;
  return length;
}

size_t strnlen(const char *string, size_t limit) {
  size_t length = 0;
  while (length < limit && string[length] != 0)
    length++;
  return length;
}

char *strcpy(char *target, const char *source) {
  size_t i = 0;
  while (source[i] != 0) {
    target[i] = source[i];
    i++;
    __must_be_apart(target, source, i + 1);
  }
  target[i] = 0;
  return target;
}

char *stpcpy(char *target, const char *source) {
  strcpy(target, source);
  return target + strlen(source);
}

char *strncpy(char *target, const char *source, size_t count) {
  size_t i = 0;
  while (i < count && source[i] != 0) {
    target[i] = source[i];
    i++;
    __must_be_apart(target, source, i < count ? i + 1 : i);
  }
  for (; i < count; i++)
    target[i] = 0;
  return target;
}

char *strcat(char *target, const char *source) {
  strcpy(target + strlen(target), source);
  return target;
}

char *strncat(char *target, const char *source, size_t count) {
  char *end = target + strlen(target);
  size_t i = 0;
  while (i < count && source[i] != 0) {
    end[i] = source[i];
    i++;
    __must_be_apart(end, source, i < count ? i + 1 : i);
  }
  end[i] = 0;
  return target;
}

int __sign_of_strcmp(const char *left, const char *right) {
  size_t i = 0;
  while (left[i] != 0 && left[i] == right[i])
    i++;
  return (unsigned char)left[i] - (unsigned char)right[i];
}

int strcmp(const char *left, const char *right) {
  return __any_of_sign(__sign_of_strcmp(left, right));
}

int __sign_of_strncmp(const char *left, const char *right, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (left[i] != right[i])
      return (unsigned char)left[i] - (unsigned char)right[i];
    if (left[i] == 0)
      return 0;
  }
  return 0;
}

int strncmp(const char *left, const char *right, size_t count) {
  return __any_of_sign(__sign_of_strncmp(left, right, count));
}

int strcoll(const char *left, const char *right) {
  return strcmp(left, right);
}

char *strchr(const char *string, int character) {
  while (*string != (char)character) {
    if (*string == 0)
      return 0;
    string++;
  }
  return (char *)string;
}

char *strchrnul(const char *string, int character) {
  while (*string != (char)character && *string != 0)
    string++;
  return (char *)string;
}

char *strrchr(const char *string, int character) {
  const char *found = 0;
  while (1) {
    if (*string == (char)character)
      found = string;
    if (*string == 0)
      return (char *)found;
    string++;
  }
}

char *strstr(const char *text, const char *part) {
  while (1) {
    size_t i = 0;
    while (part[i] != 0 && text[i] == part[i])
      i++;
    if (part[i] == 0)
      return (char *)text;
    if (*text == 0)
      return 0;
    text++;
  }
}

size_t strspn(const char *string, const char *accepted) {
  size_t length = 0;
  while (string[length] != 0 && strchr(accepted, string[length]) != 0)
    length++;
  return length;
}

size_t strcspn(const char *string, const char *rejected) {
  size_t length = 0;
  while (string[length] != 0 && strchr(rejected, string[length]) == 0)
    length++;
  return length;
}

char *strpbrk(const char *string, const char *accepted) {
  string += strcspn(string, accepted);
  return *string != 0 ? (char *)string : (char *)0;
}

char *strtok_r(char *string, const char *separators, char **state) {
  if (string == 0)
    string = *state;
  string += strspn(string, separators);
  if (*string == 0) {
    *state = string;
    return 0;
  }
  char *end = string + strcspn(string, separators);
  if (*end != 0) {
    *end = 0;
    end++;
  }
  *state = end;
  return string;
}

char *strtok(char *string, const char *separators) {
  static char *state;
  return strtok_r(string, separators, &state);
}

char *strsep(char **state, const char *separators) {
  char *string = *state;
  if (string == 0)
    return 0;
  char *end = string + strcspn(string, separators);
  if (*end != 0) {
    *end = 0;
    *state = end + 1;
  } else {
    *state = 0;
  }
  return string;
}

char *strdup(const char *string) {
  size_t size = strlen(string) + 1;
  char *copy = malloc(size);
  if (copy != 0)
    memcpy(copy, string, size);
  return copy;
}

char *strndup(const char *string, size_t limit) {
  size_t length = strnlen(string, limit);
  char *copy = malloc(length + 1);
  if (copy != 0) {
    memcpy(copy, string, length);
    copy[length] = 0;
  }
  return copy;
}

void *memmem(const void *object, size_t length, const void *part, size_t size) {
  const unsigned char *bytes = object;
  const unsigned char *wanted = part;
  for (size_t i = 0; size <= length && i <= length - size; i++) {
    size_t same = 0;
    while (same < size && bytes[i + same] == wanted[same])
      same++;
    if (same == size)
      return (void *)(bytes + i);
  }
  return 0;
}

void *memccpy(void *target, const void *source, int last, size_t count) {
  unsigned char *to = target;
  const unsigned char *from = source;
  for (size_t i = 0; i < count; i++) {
    to[i] = from[i];
    if (from[i] == (unsigned char)last)
      return to + i + 1;
  }
  return 0;
}

void *rawmemchr(const void *object, int byte) {
  const unsigned char *bytes = object;
  while (*bytes != (unsigned char)byte)
    bytes++;
  return (void *)bytes;
}

void explicit_bzero(void *target, size_t count) {
  memset(target, 0, count);
}

char *stpncpy(char *target, const char *source, size_t count) {
  strncpy(target, source, count);
  return target + strnlen(source, count);
}

size_t strlcpy(char *target, const char *source, size_t size) {
  size_t length = strlen(source);
  if (size > 0) {
    size_t kept = length < size ? length : size - 1;
    __must_be_apart(target, source, kept);
    memcpy(target, source, kept);
    target[kept] = 0;
  }
  return length;
}

size_t strlcat(char *target, const char *source, size_t size) {
  size_t start = strnlen(target, size);
  if (start == size)
    return size + strlen(source);
  return start + strlcpy(target + start, source, size - start);
}

size_t strxfrm(char *target, const char *source, size_t size) {
  size_t length = strlen(source);
  if (length < size)
    memcpy(target, source, length + 1);
  return length;
}

char *strcasestr(const char *text, const char *part) {
  while (1) {
    size_t i = 0;
    while (part[i] != 0 && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
      i++;
    if (part[i] == 0)
      return (char *)text;
    if (*text == 0)
      return 0;
    text++;
  }
}

char *strerror(int number) {
  static char message[64];
  size_t length = __pincer_pick_size("length of a message", 1, 63, 1);
  for (size_t i = 0; i < length; i++)
    message[i] = (char)__pincer_pick("character of a message", 1, 127, 'e');
  message[length] = 0;
  return message;
}

char *strsignal(int number) {
  return strerror(number);
}

char *basename(const char *path) {
  char *last = strrchr(path, '/');
  return last != 0 ? last + 1 : (char *)path;
}
