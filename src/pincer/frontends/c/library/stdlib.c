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

unsigned long long __pincer_magnitude(const char *string, char **end, int base, unsigned long long limit, int *beyond) {
  const char *next = string;
  *beyond = 0;
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
    if (*beyond || value > (limit - (unsigned int)digit) / (unsigned int)base) {
      *beyond = 1;
      errno = 34;
    } else {
      value = value * (unsigned int)base + (unsigned int)digit;
    }
    next++;
  }
  *end = (char *)next;
  return value;
}

int __pincer_is_base(int base) {
  if (base == 0 || (base > 1 && base <= 36))
    return 1;
  errno = 22;
  return 0;
}

const char *__pincer_sign(const char *string, int *negative) {
  while (*string == ' ' || (*string >= '\t' && *string <= '\r'))
    string++;
  *negative = *string == '-';
  return *string == '-' || *string == '+' ? string + 1 : string;
}

long long strtoll(const char *string, char **end, int base) {
  int negative;
  int beyond;
  char *behind;
  if (!__pincer_is_base(base))
    return 0;
  const char *digits = __pincer_sign(string, &negative);
  unsigned long long limit = (~0ULL >> 1) + (unsigned int)negative;
  unsigned long long value = __pincer_magnitude(digits, &behind, base, limit, &beyond);
  if (end != 0)
    *end = (char *)(behind == digits ? string : behind);
  if (beyond)
    value = limit;
  return (long long)(negative ? 0 - value : value);
}

long strtol(const char *string, char **end, int base) {
  int negative;
  int beyond;
  char *behind;
  if (!__pincer_is_base(base))
    return 0;
  const char *digits = __pincer_sign(string, &negative);
  unsigned long limit = (~0UL >> 1) + (unsigned int)negative;
  unsigned long value = __pincer_magnitude(digits, &behind, base, limit, &beyond);
  if (end != 0)
    *end = (char *)(behind == digits ? string : behind);
  if (beyond)
    value = limit;
  return (long)(negative ? 0 - value : value);
}

unsigned long long strtoull(const char *string, char **end, int base) {
  int negative;
  int beyond;
  char *behind;
  if (!__pincer_is_base(base))
    return 0;
  const char *digits = __pincer_sign(string, &negative);
  unsigned long long limit = ~0ULL;
  unsigned long long value = __pincer_magnitude(digits, &behind, base, limit, &beyond);
  if (end != 0)
    *end = (char *)(behind == digits ? string : behind);
  if (beyond)
    return limit;
  return negative ? 0 - value : value;
}

unsigned long strtoul(const char *string, char **end, int base) {
  int negative;
  int beyond;
  char *behind;
  if (!__pincer_is_base(base))
    return 0;
  const char *digits = __pincer_sign(string, &negative);
  unsigned long limit = ~0UL;
  unsigned long value = __pincer_magnitude(digits, &behind, base, limit, &beyond);
  if (end != 0)
    *end = (char *)(behind == digits ? string : behind);
  if (beyond)
    return limit;
  return negative ? 0 - value : value;
}

long long strtoimax(const char *string, char **end, int base) {
  return strtoll(string, end, base);
}

unsigned long long strtoumax(const char *string, char **end, int base) {
  return strtoull(string, end, base);
}

long long strtoq(const char *string, char **end, int base) {
  return strtoll(string, end, base);
}

long long imaxabs(long long value) {
  return value < 0 ? -value : value;
}

void *reallocarray(void *old, size_t count, size_t size) {
  if (size != 0 && count > ~(size_t)0 / size) {
    errno = 12;
    return 0;
  }
  return realloc(old, count * size);
}

int posix_memalign(void **target, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
    return 22;
  void *made = malloc(size);
  if (made == 0)
    return 12;
  *target = made;
  return 0;
}

struct __library_variable {
  char *name;
  char *value;
};

struct __library_variable __pincer_variables[8];

int __pincer_variable_count;

char *__pincer_any_text(size_t most) {
  size_t length = __pincer_pick_size("length of a text", 0, most, 0);
  char *text = malloc(length + 1);
  __pincer_assume(text != 0);
  for (size_t i = 0; i < length; i++)
    text[i] = (char)__pincer_pick("character of a text", 1, 255, 'a');
  text[length] = 0;
  return text;
}

char *getenv(const char *name) {
  __pincer_read_text(name);
  for (int i = 0; i < __pincer_variable_count; i++) {
    if (strcmp(__pincer_variables[i].name, name) == 0)
      return __pincer_variables[i].value;
  }
  if (__pincer_variable_count == 8)
    __pincer_unsupported("more than eight variables of the environment");
  char *kept = strdup(name);
  __pincer_assume(kept != 0);
  __pincer_variables[__pincer_variable_count].name = kept;
  if (__pincer_pick("variable of the environment is there", 0, 1, 0))
    __pincer_variables[__pincer_variable_count].value = __pincer_any_text(131071);
  __pincer_variable_count++;
  return __pincer_variables[__pincer_variable_count - 1].value;
}

char *secure_getenv(const char *name) {
  return getenv(name);
}

void *lfind(const void *key, const void *array, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
  for (size_t i = 0; i < *count; i++) {
    const char *element = (const char *)array + i * size;
    if (compare(key, element) == 0)
      return (void *)element;
  }
  return 0;
}

void *lsearch(const void *key, void *array, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
  void *found = lfind(key, array, count, size, compare);
  if (found != 0)
    return found;
  char *last = (char *)array + *count * size;
  memcpy(last, key, size);
  (*count)++;
  return last;
}

void *bsearch(const void *key, const void *array, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  __pincer_read_bytes(array, count * size);
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
  __pincer_read_bytes(array, count * size);
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

void qsort_r(void *array, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *given) {
  __pincer_read_bytes(array, count * size);
  char *bytes = array;
  for (size_t i = 1; i < count; i++) {
    for (size_t j = i; j > 0 && compare(bytes + (j - 1) * size, bytes + j * size, given) > 0; j--) {
      for (size_t k = 0; k < size; k++) {
        char byte = bytes[(j - 1) * size + k];
        bytes[(j - 1) * size + k] = bytes[j * size + k];
        bytes[j * size + k] = byte;
      }
    }
  }
}

int __pincer_begins(const char *string, const char *word) {
  while (*word != 0) {
    if ((*string | 32) != *word)
      return 0;
    string++;
    word++;
  }
  return 1;
}

double __pincer_scaled(unsigned long long digits, int exponent) {
  double power = 1;
  if (digits == 0)
    return 0;
  if (exponent < -22 || exponent > 22)
    __pincer_unsupported("the text of a number with more than 15 digits or with a large exponent");
  for (int i = exponent < 0 ? -exponent : exponent; i > 0; i--)
    power *= 10;
  return exponent < 0 ? (double)digits / power : (double)digits * power;
}

double __pincer_decimal(const char *string, const char **end) {
  const char *next = string;
  unsigned long long digits = 0;
  int exponent = 0, written = 0, behind = 0;
  while (1) {
    if (*next == '.' && !behind) {
      behind = 1;
    } else if (*next >= '0' && *next <= '9') {
      written = 1;
      if (digits <= 900719925474098ULL) {
        digits = digits * 10 + (unsigned int)(*next - '0');
        exponent -= behind;
      } else {
        if (*next != '0')
          __pincer_unsupported("the text of a number with more than 15 digits or with a large exponent");
        exponent += !behind;
      }
    } else {
      break;
    }
    next++;
  }
  *end = string;
  if (!written)
    return 0;
  *end = next;
  if (*next == 'e' || *next == 'E') {
    const char *power = next + 1;
    int negative = *power == '-', size = 0;
    if (*power == '-' || *power == '+')
      power++;
    if (*power >= '0' && *power <= '9') {
      while (*power >= '0' && *power <= '9') {
        if (size < 10000)
          size = size * 10 + (*power - '0');
        power++;
      }
      *end = power;
      exponent += negative ? -size : size;
    }
  }
  return __pincer_scaled(digits, exponent);
}

double strtod(const char *string, char **end) {
  int negative;
  const char *start = __pincer_sign(string, &negative), *behind = start;
  double value;
  if (start[0] == '0' && (start[1] | 32) == 'x')
    __pincer_unsupported("the text of a hexadecimal floating-point number");
  if (__pincer_begins(start, "nan")) {
    if (start[3] == '(')
      __pincer_unsupported("the text of a NaN with a payload");
    value = __builtin_nan("");
    behind = start + 3;
  } else if (__pincer_begins(start, "inf")) {
    value = __builtin_inf();
    behind = start + (__pincer_begins(start, "infinity") ? 8 : 3);
  } else {
    value = __pincer_decimal(start, &behind);
  }
  if (end != 0)
    *end = (char *)(behind == start ? string : behind);
  return negative && behind != start ? -value : value;
}

float strtof(const char *string, char **end) {
  double value = strtod(string, end);
  union { double number; unsigned long long bits; } pattern = {value};
  if ((pattern.bits & 0x1fffffff) == 0x10000000)
    __pincer_unsupported("the text of a number between two numbers of type float");
  return (float)value;
}

double atof(const char *string) {
  return strtod(string, 0);
}
