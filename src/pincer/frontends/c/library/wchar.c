#include <wchar.h>
#include <wctype.h>

size_t wcslen(const wchar_t *string) {
  size_t length = 0;
  while (string[length] != 0)
    length++;
  return length;
}

size_t wcsnlen(const wchar_t *string, size_t limit) {
  size_t length = 0;
  while (length < limit && string[length] != 0)
    length++;
  return length;
}

wchar_t *wcscpy(wchar_t *target, const wchar_t *source) {
  size_t i = 0;
  while (source[i] != 0) {
    target[i] = source[i];
    i++;
    __must_be_apart(target, source, (i + 1) * sizeof(wchar_t));
  }
  target[i] = 0;
  return target;
}

wchar_t *wcsncpy(wchar_t *target, const wchar_t *source, size_t count) {
  size_t i = 0;
  while (i < count && source[i] != 0) {
    target[i] = source[i];
    i++;
    __must_be_apart(target, source, (i < count ? i + 1 : i) * sizeof(wchar_t));
  }
  for (; i < count; i++)
    target[i] = 0;
  return target;
}

wchar_t *wcscat(wchar_t *target, const wchar_t *source) {
  wcscpy(target + wcslen(target), source);
  return target;
}

wchar_t *wcsncat(wchar_t *target, const wchar_t *source, size_t count) {
  wchar_t *end = target + wcslen(target);
  size_t i = 0;
  while (i < count && source[i] != 0) {
    end[i] = source[i];
    i++;
    __must_be_apart(end, source, (i < count ? i + 1 : i) * sizeof(wchar_t));
  }
  end[i] = 0;
  return target;
}

wchar_t *wcschr(const wchar_t *string, wchar_t character) {
  while (*string != character) {
    if (*string == 0)
      return 0;
    string++;
  }
  return (wchar_t *)string;
}

wchar_t *wcsrchr(const wchar_t *string, wchar_t character) {
  const wchar_t *found = 0;
  while (1) {
    if (*string == character)
      found = string;
    if (*string == 0)
      return (wchar_t *)found;
    string++;
  }
}

wchar_t *wcsstr(const wchar_t *text, const wchar_t *part) {
  while (1) {
    size_t i = 0;
    while (part[i] != 0 && text[i] == part[i])
      i++;
    if (part[i] == 0)
      return (wchar_t *)text;
    if (*text == 0)
      return 0;
    text++;
  }
}

size_t wcsspn(const wchar_t *string, const wchar_t *accepted) {
  size_t length = 0;
  while (string[length] != 0 && wcschr(accepted, string[length]) != 0)
    length++;
  return length;
}

size_t wcscspn(const wchar_t *string, const wchar_t *rejected) {
  size_t length = 0;
  while (string[length] != 0 && wcschr(rejected, string[length]) == 0)
    length++;
  return length;
}

wchar_t *wcspbrk(const wchar_t *string, const wchar_t *accepted) {
  string += wcscspn(string, accepted);
  return *string != 0 ? (wchar_t *)string : (wchar_t *)0;
}

wchar_t *wcpcpy(wchar_t *target, const wchar_t *source) {
  wcscpy(target, source);
  return target + wcslen(source);
}

int wcscmp(const wchar_t *left, const wchar_t *right) {
  size_t i = 0;
  while (left[i] != 0 && left[i] == right[i])
    i++;
  return left[i] == right[i] ? 0 : __any_of_sign(left[i] < right[i] ? -1 : 1);
}

int wcsncmp(const wchar_t *left, const wchar_t *right, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (left[i] != right[i])
      return __any_of_sign(left[i] < right[i] ? -1 : 1);
    if (left[i] == 0)
      return 0;
  }
  return 0;
}

wchar_t *wcstok(wchar_t *string, const wchar_t *separators, wchar_t **state) {
  if (string == 0)
    string = *state;
  if (string == 0)
    return 0;
  string += wcsspn(string, separators);
  if (*string == 0) {
    *state = 0;
    return 0;
  }
  wchar_t *end = string + wcscspn(string, separators);
  if (*end != 0) {
    *end = 0;
    *state = end + 1;
  } else {
    *state = 0;
  }
  return string;
}

wchar_t *wcsdup(const wchar_t *string) {
  size_t size = wcslen(string) + 1;
  wchar_t *copy = malloc(size * sizeof(wchar_t));
  if (copy != 0)
    wmemcpy(copy, string, size);
  return copy;
}

wchar_t *wmemcpy(wchar_t *target, const wchar_t *source, size_t count) {
  __must_be_apart(target, source, count * sizeof(wchar_t));
  for (size_t i = 0; i < count; i++)
    target[i] = source[i];
  return target;
}

wchar_t *wmemmove(wchar_t *target, const wchar_t *source, size_t count) {
  return memmove(target, source, count * sizeof(wchar_t));
}

wchar_t *wmemset(wchar_t *target, wchar_t character, size_t count) {
  for (size_t i = 0; i < count; i++)
    target[i] = character;
  return target;
}

wchar_t *wmemchr(const wchar_t *object, wchar_t character, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (object[i] == character)
      return (wchar_t *)(object + i);
  }
  return 0;
}

int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count) {
  __pincer_read_bytes(left, count * sizeof(wchar_t));
  __pincer_read_bytes(right, count * sizeof(wchar_t));
  for (size_t i = 0; i < count; i++) {
    if (left[i] != right[i])
      return __any_of_sign(left[i] < right[i] ? -1 : 1);
  }
  return 0;
}

int iswalnum(unsigned int character) {
  return character < 128 ? isalnum((int)character) : 0;
}

int iswalpha(unsigned int character) {
  return character < 128 ? isalpha((int)character) : 0;
}

int iswblank(unsigned int character) {
  return character < 128 ? isblank((int)character) : 0;
}

int iswcntrl(unsigned int character) {
  return character < 128 ? iscntrl((int)character) : 0;
}

int iswdigit(unsigned int character) {
  return character < 128 ? isdigit((int)character) : 0;
}

int iswgraph(unsigned int character) {
  return character < 128 ? isgraph((int)character) : 0;
}

int iswlower(unsigned int character) {
  return character < 128 ? islower((int)character) : 0;
}

int iswprint(unsigned int character) {
  return character < 128 ? isprint((int)character) : 0;
}

int iswpunct(unsigned int character) {
  return character < 128 ? ispunct((int)character) : 0;
}

int iswspace(unsigned int character) {
  return character < 128 ? isspace((int)character) : 0;
}

int iswupper(unsigned int character) {
  return character < 128 ? isupper((int)character) : 0;
}

int iswxdigit(unsigned int character) {
  return character < 128 ? isxdigit((int)character) : 0;
}

unsigned int towlower(unsigned int character) {
  return character < 128 ? (unsigned int)tolower((int)character) : character;
}

unsigned int towupper(unsigned int character) {
  return character < 128 ? (unsigned int)toupper((int)character) : character;
}
