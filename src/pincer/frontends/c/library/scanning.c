#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *__pincer_past_space(const char *text) {
  while (*text == ' ' || (*text >= '\t' && *text <= '\r'))
    text++;
  return text;
}

size_t __pincer_scan_digits(const char *text, int letter, size_t width, char *kept) {
  size_t count = 0;
  int base = letter == 'o' ? 8 : letter == 'x' || letter == 'X' ? 16 : 10;
  if (width == 0 || width > 64)
    width = 64;
  if (count < width && (text[count] == '-' || text[count] == '+')) {
    kept[count] = text[count];
    count++;
  }
  if ((base == 16 || letter == 'i') && count < width && text[count] == '0') {
    if (count + 1 < width && (text[count + 1] == 'x' || text[count + 1] == 'X')) {
      if (count + 2 >= width || __pincer_digit(text[count + 2]) >= 16)
        __pincer_unsupported("a number that ends after 0x, read by a format");
      kept[count] = '0';
      kept[count + 1] = 'x';
      count += 2;
      base = 16;
    } else if (letter == 'i') {
      base = 8;
    }
  }
  while (count < width && __pincer_digit(text[count]) < base) {
    kept[count] = text[count];
    count++;
  }
  if (count == 64 && __pincer_digit(text[count]) < base)
    __pincer_unsupported("a number of more than 64 characters, read by a format");
  kept[count] = 0;
  return count;
}

int __pincer_in_set(const char *set, int character) {
  int found = 0;
  int inverted = *set == '^';
  if (inverted)
    set++;
  const char *first = set;
  while (*set != ']' || set == first) {
    if (set[1] == '-' && set[2] != ']' && set[2] != 0) {
      if ((unsigned char)set[0] <= character && character <= (unsigned char)set[2])
        found = 1;
      set += 3;
    } else {
      if ((unsigned char)*set == character)
        found = 1;
      set++;
    }
  }
  return found != inverted;
}

const char *__pincer_past_set(const char *set) {
  if (*set == '^')
    set++;
  if (*set == ']')
    set++;
  while (*set != ']') {
    if (*set == 0)
      __pincer_unsupported("a format whose set of characters has no end");
    set++;
  }
  return set + 1;
}

int __pincer_is_wanted(int letter, const char *set, int character) {
  if (letter == 'c')
    return 1;
  if (letter == '[')
    return __pincer_in_set(set, character);
  return !(character == ' ' || (character >= '\t' && character <= '\r'));
}

void __pincer_store_number(const char *kept, int letter, int words, void *target) {
  int base = letter == 'o' ? 8 : letter == 'x' || letter == 'X' ? 16 : letter == 'i' ? 0 : 10;
  int plain = letter == 'd' || letter == 'i';
  unsigned long long value;
  if (words == 2)
    value = plain ? (unsigned long long)strtoll(kept, 0, base) : strtoull(kept, 0, base);
  else
    value = plain ? (unsigned long long)strtol(kept, 0, base) : strtoul(kept, 0, base);
  if (words == 2)
    *(unsigned long long *)target = value;
  else if (words == 1)
    *(unsigned long *)target = (unsigned long)value;
  else if (words == -1)
    *(unsigned short *)target = (unsigned short)value;
  else if (words == -2)
    *(unsigned char *)target = (unsigned char)value;
  else
    *(unsigned int *)target = (unsigned int)value;
}

int __pincer_scan_text(const char *text, const char *format, va_list list) {
  const char *at = text;
  int count = 0;
  __pincer_read_text(text);
  while (*format != 0) {
    if (*format == ' ' || (*format >= '\t' && *format <= '\r')) {
      at = __pincer_past_space(at);
      format++;
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      if (*format == '%') {
        at = __pincer_past_space(at);
        format++;
      }
      if (*at != *format)
        return *at == 0 && count == 0 ? -1 : count;
      at++;
      format++;
      continue;
    }
    format++;
    int ignored = *format == '*';
    if (ignored)
      format++;
    size_t width = (size_t)__pincer_number_in_format(&format);
    int words = __pincer_length_in_format(&format);
    int letter = *format;
    format++;
    const char *set = format;
    if (letter == '[')
      format = __pincer_past_set(set);
    if (letter == 'n') {
      if (!ignored)
        *va_arg(list, int *) = (int)(at - text);
      continue;
    }
    if (letter != 'c' && letter != '[')
      at = __pincer_past_space(at);
    if (*at == 0)
      return count == 0 ? -1 : count;
    if (letter == 'd' || letter == 'i' || letter == 'u' || letter == 'x' || letter == 'X' || letter == 'o') {
      char kept[65];
      size_t length = __pincer_scan_digits(at, letter, width, kept);
      if (length == 0 || __pincer_digit(kept[length - 1]) == 36)
        return count;
      at += length;
      if (!ignored)
        __pincer_store_number(kept, letter, words, va_arg(list, void *));
    } else if ((letter == 's' || letter == 'c' || letter == '[') && words == 0) {
      char *target = 0;
      if (!ignored)
        target = va_arg(list, char *);
      if (letter == 'c' && width == 0)
        width = 1;
      size_t length = 0;
      while (at[length] != 0 && (width == 0 || length < width) && __pincer_is_wanted(letter, set, (unsigned char)at[length])) {
        if (!ignored)
          target[length] = at[length];
        length++;
      }
      if (length == 0)
        return count;
      if (letter == 'c' && length < width)
        __pincer_unsupported("fewer characters than a format asks for");
      if (!ignored && letter != 'c')
        target[length] = 0;
      at += length;
    } else if ((letter == 'f' || letter == 'e' || letter == 'g' || letter == 'F' || letter == 'E' || letter == 'G') && (words == 0 || words == 1)) {
      char kept[64];
      const char *from = at;
      char *behind;
      if (width > 63)
        __pincer_unsupported("a wide floating-point number in a format that reads");
      if (width != 0) {
        size_t length = 0;
        while (length < width && at[length] != 0) {
          kept[length] = at[length];
          length++;
        }
        kept[length] = 0;
        from = kept;
      }
      double value = strtod(from, &behind);
      if (behind == from)
        return count;
      if ((*behind | 32) == 'e' || (__builtin_isinf(value) && (*behind | 32) == 'i'))
        __pincer_unsupported("a floating-point number that ends early in a text that is read");
      at += behind - from;
      if (!ignored && words == 1)
        *va_arg(list, double *) = value;
      if (!ignored && words == 0)
        *va_arg(list, float *) = strtof(from, 0);
    } else {
      __pincer_unsupported("a conversion other than %c %s %[ %d %i %u %x %X %o %f %e %g %n in a format that reads");
    }
    if (!ignored)
      count++;
  }
  return count;
}

int vsscanf(const char *text, const char *format, va_list list) {
  return __pincer_scan_text(text, format, list);
}

int sscanf(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = __pincer_scan_text(text, format, list);
  va_end(list);
  return count;
}

int __isoc99_sscanf(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = __pincer_scan_text(text, format, list);
  va_end(list);
  return count;
}
