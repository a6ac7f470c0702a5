#include <stdlib.h>
#include <string.h>

int abs(int value) {
  return value < 0 ? -value : value;
}

long labs(long value) {
  return value < 0 ? -value : value;
}

long long llabs(long long value) {
  return value < 0 ? -value : value;
}

int atoi(const char *string) {
  return (int)strtol(string, 0, 10);
}

long atol(const char *string) {
  return strtol(string, 0, 10);
}

long long atoll(const char *string) {
  return strtoll(string, 0, 10);
}

int __pincer_digit(int character) {
  if (character >= '0' && character <= '9')
    return character - '0';
  if (character >= 'a' && character <= 'z')
    return character - 'a' + 10;
  if (character >= 'A' && character <= 'Z')
    return character - 'A' + 10;
  return 36;
}

unsigned long long __pincer_magnitude(const char *string, char **end, int base, unsigned long long limit) {
  const char *next = string;
  if (base < 0 || base == 1 || base > 36)
    __asm__("a conversion with an invalid base, which sets errno");
  if ((base == 0 || base == 16) && next[0] == '0' && (next[1] == 'x' || next[1] == 'X') && __pincer_digit(next[2]) < 16) {
    next += 2;
    base = 16;
  }
  if (base == 0)
    base = *next == '0' ? 8 : 10;
  unsigned long long value = 0;
  while (1) {
    int digit = __pincer_digit(*next);
    if (digit >= base)
      break;
    if (value > (limit - (unsigned int)digit) / (unsigned int)base)
      __asm__("a conversion out of range, which sets errno");
    value = value * (unsigned int)base + (unsigned int)digit;
    next++;
  }
  *end = (char *)next;
  return value;
}

const char *__pincer_sign(const char *string, int *negative) {
  while (*string == ' ' || (*string >= '\t' && *string <= '\r'))
    string++;
  *negative = *string == '-';
  return *string == '-' || *string == '+' ? string + 1 : string;
}

long long strtoll(const char *string, char **end, int base) {
  int negative;
  char *behind;
  const char *digits = __pincer_sign(string, &negative);
  unsigned long long limit = (~0ULL >> 1) + (unsigned int)negative;
  unsigned long long value = __pincer_magnitude(digits, &behind, base, limit);
  if (end != 0)
    *end = (char *)(behind == digits ? string : behind);
  return (long long)(negative ? -value : value);
}

long strtol(const char *string, char **end, int base) {
  int negative;
  char *behind;
  const char *digits = __pincer_sign(string, &negative);
  unsigned long limit = (~0UL >> 1) + (unsigned int)negative;
  unsigned long value = __pincer_magnitude(digits, &behind, base, limit);
  if (end != 0)
    *end = (char *)(behind == digits ? string : behind);
  return (long)(negative ? -value : value);
}

unsigned long long strtoull(const char *string, char **end, int base) {
  int negative;
  char *behind;
  const char *digits = __pincer_sign(string, &negative);
  unsigned long long value = __pincer_magnitude(digits, &behind, base, ~0ULL);
  if (end != 0)
    *end = (char *)(behind == digits ? string : behind);
  return negative ? -value : value;
}

unsigned long strtoul(const char *string, char **end, int base) {
  int negative;
  char *behind;
  const char *digits = __pincer_sign(string, &negative);
  unsigned long value = __pincer_magnitude(digits, &behind, base, ~0UL);
  if (end != 0)
    *end = (char *)(behind == digits ? string : behind);
  return negative ? -value : value;
}

void *bsearch(const void *key, const void *array, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  const char *low = array;
  while (count > 0) {
    const char *middle = low + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0)
      return (void *)middle;
    if (order > 0) {
      low = middle + size;
      count = count - count / 2 - 1;
    } else {
      count = count / 2;
    }
  }
  return 0;
}

void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *bytes = array;
  for (size_t i = 1; i < count; i++) {
    for (size_t j = i; j > 0 && compare(bytes + (j - 1) * size, bytes + j * size) > 0; j--) {
      for (size_t k = 0; k < size; k++) {
        char byte = bytes[(j - 1) * size + k];
        bytes[(j - 1) * size + k] = bytes[j * size + k];
        bytes[j * size + k] = byte;
      }
    }
  }
}

void (**__exit_list(void))(void) {
    static void (*list[64])(void);
    return list;
}

int *__exit_count(void) {
    static int count;
    return &count;
}

int atexit(void (*f)(void)) {
    int *count = __exit_count();
    if (*count == 64)
        __too_many_exit_handlers();
    __exit_list()[*count] = f;
    *count = *count + 1;
    return 0;
}

void __run_exit_handlers(void) {
    int *count = __exit_count();
    while (*count > 0) {
        *count = *count - 1;
        __exit_list()[*count]();
    }
}
