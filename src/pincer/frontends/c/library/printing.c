#include <stdarg.h>
#include <stdio.h>

size_t __pincer_put_fill(char *target, size_t size, size_t at, int byte, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (at < size && at + 1 < size)
      target[at] = (char)byte;
    at++;
  }
  return at;
}

size_t __pincer_put_bytes(char *target, size_t size, size_t at, const char *text, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (at < size && at + 1 < size)
      target[at] = text[i];
    at++;
  }
  return at;
}

size_t __pincer_put_text(char *target, size_t size, size_t at, const char *text, int left, int width, int precision) {
  size_t count = 0;
  if (width < 0) {
    left = 1;
    width = -width;
  }
  while ((precision < 0 || count < (size_t)precision) && text[count] != 0)
    count++;
  size_t padding = width > 0 && (size_t)width > count ? (size_t)width - count : 0;
  if (!left)
    at = __pincer_put_fill(target, size, at, ' ', padding);
  if (size > 0)
    __must_be_disjoint(target, at + count < size ? at + count + 1 : size, text, count + 1);
  at = __pincer_put_bytes(target, size, at, text, count);
  if (left)
    at = __pincer_put_fill(target, size, at, ' ', padding);
  return at;
}

size_t __pincer_put_character(char *target, size_t size, size_t at, int character, int left, int width) {
  if (width < 0) {
    left = 1;
    width = -width;
  }
  size_t padding = width > 1 ? (size_t)width - 1 : 0;
  if (!left)
    at = __pincer_put_fill(target, size, at, ' ', padding);
  at = __pincer_put_fill(target, size, at, character, 1);
  if (left)
    at = __pincer_put_fill(target, size, at, ' ', padding);
  return at;
}

size_t __pincer_put_digits(char *target, size_t size, size_t at, unsigned long long value, int sign, int base, int flags, int width, int precision) {
  char digits[64];
  int first = 64;
  int upper = flags & 32;
  if (width < 0) {
    flags = flags | 1;
    width = -width;
  }
  int zero = value == 0;
  while (value != 0) {
    unsigned int digit = (unsigned int)(value % (unsigned int)base);
    value = value / (unsigned int)base;
    first--;
    digits[first] = (char)(digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + (digit - 10));
  }
  int count = 64 - first;
  int leading = precision < 0 ? count == 0 : precision > count ? precision - count : 0;
  if ((flags & 16) && base == 8 && leading == 0 && (count == 0 || !zero))
    leading = 1;
  int prefix = (flags & 16) && base == 16 && !zero ? 2 : 0;
  int length = count + leading + prefix + (sign != 0);
  int padding = width > length ? width - length : 0;
  if ((flags & 2) && !(flags & 1) && precision < 0) {
    leading = leading + padding;
    padding = 0;
  }
  if (!(flags & 1))
    at = __pincer_put_fill(target, size, at, ' ', (size_t)padding);
  if (sign != 0)
    at = __pincer_put_fill(target, size, at, sign, 1);
  if (prefix != 0) {
    at = __pincer_put_fill(target, size, at, '0', 1);
    at = __pincer_put_fill(target, size, at, upper ? 'X' : 'x', 1);
  }
  at = __pincer_put_fill(target, size, at, '0', (size_t)leading);
  at = __pincer_put_bytes(target, size, at, digits + first, (size_t)count);
  if (flags & 1)
    at = __pincer_put_fill(target, size, at, ' ', (size_t)padding);
  return at;
}

size_t __pincer_put_signed(char *target, size_t size, size_t at, long long value, int flags, int width, int precision) {
  int sign = value < 0 ? '-' : flags & 4 ? '+' : flags & 8 ? ' ' : 0;
  unsigned long long magnitude = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
  return __pincer_put_digits(target, size, at, magnitude, sign, 10, flags, width, precision);
}

/* The decimal digits of fraction * 2**exponent without leading zeros, all of them; so many stand before the point. */
int __pincer_decimal_digits(unsigned long long fraction, int exponent, char *digits, int *point) {
  unsigned int parts[160];
  int first = 38;
  int last = 40;
  while (exponent < 0 && fraction != 0 && fraction % 2 == 0) {
    fraction = fraction / 2;
    exponent++;
  }
  parts[38] = (unsigned int)(fraction / 1000000000u);
  parts[39] = (unsigned int)(fraction % 1000000000u);
  while (exponent > 0) {
    int shift = exponent < 29 ? exponent : 29;
    unsigned long long carry = 0;
    for (int i = 39; i >= first; i--) {
      carry = carry + ((unsigned long long)parts[i] << shift);
      parts[i] = (unsigned int)(carry % 1000000000u);
      carry = carry / 1000000000u;
    }
    if (carry != 0) {
      first--;
      parts[first] = (unsigned int)carry;
    }
    exponent = exponent - shift;
  }
  while (exponent < 0) {
    int shift = exponent > -9 ? -exponent : 9;
    unsigned int carry = 0;
    for (int i = first; i < last; i++) {
      unsigned int rest = parts[i] & ((1u << shift) - 1);
      parts[i] = (parts[i] >> shift) + carry;
      carry = (1000000000u >> shift) * rest;
    }
    if (carry != 0) {
      parts[last] = carry;
      last++;
    }
    exponent = exponent + shift;
  }
  int count = 0;
  *point = 9 * (40 - first);
  for (int i = first; i < last; i++) {
    unsigned int scale = 100000000u;
    while (scale != 0) {
      char digit = (char)('0' + parts[i] / scale % 10);
      if (count != 0 || digit != '0') {
        digits[count] = digit;
        count++;
      } else {
        (*point)--;
      }
      scale = scale / 10;
    }
  }
  return count;
}

/* Round to so many digits, to an even one from the middle; how many are left. */
int __pincer_round_digits(char *digits, int count, int keep, int *point) {
  if (keep >= count)
    return count;
  if (keep < 0)
    return 0;
  int beyond = 0;
  for (int i = keep + 1; i < count; i++)
    beyond = beyond || digits[i] != '0';
  int odd = keep > 0 && (digits[keep - 1] - '0') % 2 == 1;
  if (digits[keep] < '5' || (digits[keep] == '5' && !beyond && !odd))
    return keep;
  int last = keep - 1;
  while (last >= 0 && digits[last] == '9') {
    digits[last] = '0';
    last--;
  }
  if (last >= 0) {
    digits[last]++;
    return keep;
  }
  digits[0] = '1';
  (*point)++;
  return keep > 0 ? keep : 1;
}

size_t __pincer_put_floating(char *target, size_t size, size_t at, double value, int letter, int flags, int width, int precision) {
  union {
    double number;
    unsigned long long bits;
  } word;
  word.number = value;
  unsigned long long fraction = word.bits & 0xfffffffffffffULL;
  int exponent = (int)(word.bits >> 52 & 2047);
  int sign = word.bits >> 63 ? '-' : flags & 4 ? '+' : flags & 8 ? ' ' : 0;
  int upper = flags & 32;
  if (width < 0) {
    flags = flags | 1;
    width = -width;
  }
  if (exponent == 2047) {
    int length = 3 + (sign != 0);
    size_t padding = width > length ? (size_t)(width - length) : 0;
    if (!(flags & 1))
      at = __pincer_put_fill(target, size, at, ' ', padding);
    if (sign != 0)
      at = __pincer_put_fill(target, size, at, sign, 1);
    at = __pincer_put_bytes(target, size, at, fraction != 0 ? upper ? "NAN" : "nan" : upper ? "INF" : "inf", 3);
    return flags & 1 ? __pincer_put_fill(target, size, at, ' ', padding) : at;
  }
  if (precision < 0)
    precision = 6;
  char digits[1440];
  int point;
  int count = __pincer_decimal_digits(exponent != 0 ? fraction | 0x10000000000000ULL : fraction, (exponent != 0 ? exponent : 1) - 1075, digits, &point);
  if (letter == 'g' && precision == 0)
    precision = 1;
  int exact = point;
  count = __pincer_round_digits(digits, count, letter == 'f' ? point + precision : letter == 'e' ? precision + 1 : precision, &point);
  int power = count != 0 ? point - 1 : 0;
  int scientific = letter == 'e';
  if (letter == 'g' && (flags & 16) && point != exact)
    __pincer_unsupported("%#g of a number that is rounded to one with more digits");
  if (letter == 'g') {
    int significant = count;
    while (significant > 0 && digits[significant - 1] == '0')
      significant--;
    scientific = power < -4 || power >= precision;
    int all = scientific ? precision - 1 : precision - 1 - power;
    int needed = scientific ? significant - 1 : significant - 1 - power;
    precision = flags & 16 ? all : needed > 0 ? needed : 0;
  }
  int before = scientific ? 1 : power + 1;
  int written = before > 0 ? before : 1;
  int dot = precision > 0 || (flags & 16) != 0;
  int magnitude = power < 0 ? -power : power;
  int length = (sign != 0) + written + dot + precision + (scientific ? magnitude > 99 ? 5 : 4 : 0);
  size_t padding = width > length ? (size_t)(width - length) : 0;
  if (!(flags & 1) && !(flags & 2))
    at = __pincer_put_fill(target, size, at, ' ', padding);
  if (sign != 0)
    at = __pincer_put_fill(target, size, at, sign, 1);
  if (!(flags & 1) && (flags & 2))
    at = __pincer_put_fill(target, size, at, '0', padding);
  int known = count != 0 && before > 0 ? before < count ? before : count : 0;
  at = __pincer_put_bytes(target, size, at, digits, (size_t)known);
  at = __pincer_put_fill(target, size, at, '0', (size_t)(written - known));
  at = __pincer_put_fill(target, size, at, '.', (size_t)dot);
  int zeros = count == 0 ? precision : before >= 0 ? 0 : -before < precision ? -before : precision;
  at = __pincer_put_fill(target, size, at, '0', (size_t)zeros);
  int start = before > 0 ? before : 0;
  known = count > start ? count - start : 0;
  if (known > precision - zeros)
    known = precision - zeros;
  at = __pincer_put_bytes(target, size, at, digits + (known != 0 ? start : 0), (size_t)known);
  at = __pincer_put_fill(target, size, at, '0', (size_t)(precision - zeros - known));
  if (scientific) {
    at = __pincer_put_fill(target, size, at, upper ? 'E' : 'e', 1);
    at = __pincer_put_fill(target, size, at, power < 0 ? '-' : '+', 1);
    at = __pincer_put_digits(target, size, at, (unsigned long long)magnitude, 0, 10, 0, 0, 2);
  }
  return flags & 1 ? __pincer_put_fill(target, size, at, ' ', padding) : at;
}

int __pincer_put_end(char *target, size_t size, size_t at) {
  if (size > 0)
    target[at < size ? at : size - 1] = 0;
  return (int)at;
}

int __pincer_number_in_format(const char **format) {
  int number = 0;
  while (**format >= '0' && **format <= '9') {
    number = number * 10 + (**format - '0');
    (*format)++;
  }
  return number;
}

int __pincer_length_in_format(const char **format) {
  const char *next = *format;
  int words = 0;
  if (next[0] == 'h')
    words = next[1] == 'h' ? -2 : -1;
  else if (next[0] == 'l')
    words = next[1] == 'l' ? 2 : 1;
  else if (next[0] == 'j' || next[0] == 'q')
    words = 2;
  else if (next[0] == 'z' || next[0] == 't')
    words = 1;
  *format = next + (words == -2 || (words == 2 && next[0] == 'l') ? 2 : words != 0);
  return words;
}

int __pincer_flags_in_format(const char **format) {
  int flags = 0;
  while (1) {
    int flag = **format == '-' ? 1 : **format == '0' ? 2 : **format == '+' ? 4 : **format == ' ' ? 8 : **format == '#' ? 16 : 0;
    if (flag == 0 && **format != '\'')
      return flags;
    flags = flags | flag;
    (*format)++;
  }
}

int __pincer_format(char *target, size_t size, const char *format, va_list list) {
  size_t at = 0;
  while (*format != 0) {
    if (*format != '%' || format[1] == '%') {
      at = __pincer_put_fill(target, size, at, *format, 1);
      format += *format == '%' ? 2 : 1;
      continue;
    }
    format++;
    int flags = __pincer_flags_in_format(&format);
    int width = 0;
    int precision = -1;
    if (*format == '*') {
      width = va_arg(list, int);
      format++;
    } else {
      width = __pincer_number_in_format(&format);
    }
    if (*format == '.') {
      format++;
      if (*format == '*') {
        precision = va_arg(list, int);
        format++;
      } else {
        precision = __pincer_number_in_format(&format);
      }
    }
    int words = __pincer_length_in_format(&format);
    char letter = *format;
    format++;
    if (letter == 'c' && words == 0) {
      at = __pincer_put_character(target, size, at, va_arg(list, int), flags & 1, width);
    } else if (letter == 's' && words == 0) {
      at = __pincer_put_text(target, size, at, va_arg(list, const char *), flags & 1, width, precision);
    } else if (letter == 'd' || letter == 'i') {
      long long value;
      if (words == 2)
        value = va_arg(list, long long);
      else if (words == 1)
        value = va_arg(list, long);
      else
        value = va_arg(list, int);
      if (words == -1)
        value = (short)value;
      if (words == -2)
        value = (signed char)value;
      at = __pincer_put_signed(target, size, at, value, flags, width, precision);
    } else if (letter == 'u' || letter == 'x' || letter == 'X' || letter == 'o') {
      unsigned long long value;
      if (words == 2)
        value = va_arg(list, unsigned long long);
      else if (words == 1)
        value = va_arg(list, unsigned long);
      else
        value = va_arg(list, unsigned int);
      if (words == -1)
        value = (unsigned short)value;
      if (words == -2)
        value = (unsigned char)value;
      int base = letter == 'u' ? 10 : letter == 'o' ? 8 : 16;
      if (letter == 'u')
        flags = flags & ~16;
      at = __pincer_put_digits(target, size, at, value, 0, base, letter == 'X' ? flags | 32 : flags, width, precision);
    } else if ((words == 0 || words == 1) && (letter == 'f' || letter == 'e' || letter == 'g')) {
      at = __pincer_put_floating(target, size, at, va_arg(list, double), letter, flags, width, precision);
    } else if ((words == 0 || words == 1) && (letter == 'F' || letter == 'E' || letter == 'G')) {
      at = __pincer_put_floating(target, size, at, va_arg(list, double), letter + 32, flags | 32, width, precision);
    } else {
      __pincer_unsupported("a conversion other than %c %s %d %i %u %x %X %o %f %e %g in a format");
    }
  }
  return __pincer_put_end(target, size, at);
}

int vsnprintf(char *target, size_t size, const char *format, va_list list) {
  return __pincer_format(target, size, format, list);
}

int vsprintf(char *target, const char *format, va_list list) {
  return __pincer_format(target, ~(size_t)0, format, list);
}

int snprintf(char *target, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = __pincer_format(target, size, format, list);
  va_end(list);
  return count;
}

int sprintf(char *target, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = __pincer_format(target, ~(size_t)0, format, list);
  va_end(list);
  return count;
}

int vasprintf(char **target, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  int count = __pincer_format(0, 0, format, again);
  va_end(again);
  *target = malloc((size_t)count + 1);
  if (*target == 0)
    return -1;
  return __pincer_format(*target, (size_t)count + 1, format, list);
}

int asprintf(char **target, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = vasprintf(target, format, list);
  va_end(list);
  return count;
}

int __pincer_printed(int count) {
  return __pincer_pick("failure of printing", -1, 0, 0) < 0 ? -1 : count;
}

void __effects_of_vprintf(const char *format, va_list list) {
  __pincer_format(0, 0, format, list);
}

void __effects_of_printf(const char *format, ...) {
  va_list list;
  va_start(list, format);
  __pincer_format(0, 0, format, list);
  va_end(list);
}

void __effects_of_vfprintf(struct _IO_FILE *stream, const char *format, va_list list) {
  __pincer_use(stream);
  __pincer_format(0, 0, format, list);
}

void __effects_of_fprintf(struct _IO_FILE *stream, const char *format, ...) {
  va_list list;
  va_start(list, format);
  __effects_of_vfprintf(stream, format, list);
  va_end(list);
}

int vprintf(const char *format, va_list list) {
  return __pincer_printed(__pincer_format(0, 0, format, list));
}

int printf(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = __pincer_format(0, 0, format, list);
  va_end(list);
  return __pincer_printed(count);
}

int vfprintf(struct _IO_FILE *stream, const char *format, va_list list) {
  __pincer_use(stream);
  return __pincer_printed(__pincer_format(0, 0, format, list));
}

int fprintf(struct _IO_FILE *stream, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = vfprintf(stream, format, list);
  va_end(list);
  return count;
}

int vdprintf(int file, const char *format, va_list list) {
  return __pincer_printed(__pincer_format(0, 0, format, list));
}

int dprintf(int file, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = vdprintf(file, format, list);
  va_end(list);
  return count;
}

void vsyslog(int level, const char *format, va_list list) {
  __pincer_format(0, 0, format, list);
}

void syslog(int level, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsyslog(level, format, list);
  va_end(list);
}
