#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct __library_stream {
  int ended;
  int failed;
  int pushed;
  int at_end;
  int own;
};

int __pincer_files_made;

struct __library_stream __pincer_stdin;

struct __library_stream __pincer_stdout;

struct __library_stream __pincer_stderr;

struct _IO_FILE *stdin = (struct _IO_FILE *)&__pincer_stdin;

struct _IO_FILE *stdout = (struct _IO_FILE *)&__pincer_stdout;

struct _IO_FILE *stderr = (struct _IO_FILE *)&__pincer_stderr;

struct __library_stream *__pincer_state(struct _IO_FILE *stream) {
  return (struct __library_stream *)stream;
}

struct _IO_FILE *__pincer_new_stream(void) {
  return (struct _IO_FILE *)calloc(1, sizeof(struct __library_stream));
}

void __pincer_end_stream(struct _IO_FILE *stream) {
  void *object = stream;
  if (object != &__pincer_stdin && object != &__pincer_stdout && object != &__pincer_stderr)
    free(object);
}

int __pincer_byte_of(struct _IO_FILE *stream) {
  if (__pincer_state(stream)->own)
    return __pincer_pick("character of a file that the program may have written", -1, 255, -1);
  return __pincer_pick("character of a file", -1, 255, -1);
}

int __pincer_get(struct _IO_FILE *stream) {
  __pincer_use(stream);
  if (!__pincer_watched())
    return __pincer_byte_of(stream);
  struct __library_stream *state = __pincer_state(stream);
  state->at_end = 0;
  if (state->pushed != 0) {
    int character = state->pushed - 1;
    state->pushed = 0;
    return character;
  }
  if (state->ended)
    return -1;
  int character = __pincer_byte_of(stream);
  if (character < 0) {
    if (__pincer_pick("failure of reading", 0, 1, 0)) {
      state->failed = 1;
      __pincer_any_errno();
    } else {
      state->ended = 1;
    }
  }
  return character;
}

int fgetc(struct _IO_FILE *stream) {
  return __pincer_get(stream);
}

int getc(struct _IO_FILE *stream) {
  return __pincer_get(stream);
}

int _IO_getc(struct _IO_FILE *stream) {
  return __pincer_get(stream);
}

int getc_unlocked(struct _IO_FILE *stream) {
  return __pincer_get(stream);
}

int getchar(void) {
  return __pincer_get(stdin);
}

int getchar_unlocked(void) {
  return __pincer_get(stdin);
}

char *fgets(char *target, int size, struct _IO_FILE *stream) {
  __pincer_use(stream);
  if (size <= 0)
    return 0;
  int count = 0;
  while (count < size - 1) {
    int character = __pincer_get(stream);
    if (character < 0) {
      if (count == 0 || __pincer_pick("failure of reading", 0, 1, 0))
        return 0;
      break;
    }
    target[count] = (char)character;
    count++;
    if (character == '\n')
      break;
  }
  target[count] = 0;
  return target;
}

char *fgets_unlocked(char *target, int size, struct _IO_FILE *stream) {
  return fgets(target, size, stream);
}

char *gets(char *target) {
  int count = 0;
  while (1) {
    int character = __pincer_get(stdin);
    if (character < 0 && count == 0)
      return 0;
    if (character < 0 || character == '\n')
      break;
    target[count] = (char)character;
    count++;
  }
  target[count] = 0;
  return target;
}

size_t fread(void *target, size_t size, size_t count, struct _IO_FILE *stream) {
  unsigned char *bytes = target;
  __pincer_use(stream);
  if (size == 0 || count == 0)
    return 0;
  if (count > ~(size_t)0 / size)
    __pincer_unsupported("a number of bytes to read that is out of range");
  for (size_t i = 0; i < size * count; i++) {
    int character = __pincer_get(stream);
    if (character < 0)
      return i / size;
    bytes[i] = (unsigned char)character;
  }
  return count;
}

size_t fread_unlocked(void *target, size_t size, size_t count, struct _IO_FILE *stream) {
  return fread(target, size, count, stream);
}

ssize_t getdelim(char **line, size_t *size, int last, struct _IO_FILE *stream) {
  size_t count = 0;
  if (*line == 0 || *size == 0) {
    *size = 120;
    *line = realloc(*line, 120);
    if (*line == 0)
      return -1;
  }
  while (1) {
    int character = __pincer_get(stream);
    if (character < 0)
      break;
    if (count + 2 > *size) {
      char *larger = realloc(*line, 2 * *size);
      if (larger == 0)
        return -1;
      *line = larger;
      *size = 2 * *size;
    }
    (*line)[count] = (char)character;
    count++;
    if (character == last)
      break;
  }
  if (count == 0)
    return -1;
  (*line)[count] = 0;
  return (ssize_t)count;
}

ssize_t getline(char **line, size_t *size, struct _IO_FILE *stream) {
  return getdelim(line, size, '\n', stream);
}

int ungetc(int character, struct _IO_FILE *stream) {
  __pincer_use(stream);
  if (character == -1)
    return -1;
  if (!__pincer_watched())
    __pincer_unsupported("a character that is pushed back in a program with threads");
  struct __library_stream *state = __pincer_state(stream);
  if (state->pushed != 0)
    __pincer_unsupported("a second character that is pushed back");
  state->pushed = (unsigned char)character + 1;
  state->ended = 0;
  return (unsigned char)character;
}

int feof(struct _IO_FILE *stream) {
  __pincer_use(stream);
  if (!__pincer_watched())
    return __pincer_pick("end of a file", 0, 1, 0);
  return __pincer_state(stream)->ended;
}

int ferror(struct _IO_FILE *stream) {
  __pincer_use(stream);
  if (!__pincer_watched())
    return __pincer_pick("error of a file", 0, 1, 0);
  return __pincer_state(stream)->failed;
}

void clearerr(struct _IO_FILE *stream) {
  __pincer_use(stream);
  if (__pincer_watched()) {
    __pincer_state(stream)->ended = 0;
    __pincer_state(stream)->failed = 0;
  }
}

int __pincer_moved(struct _IO_FILE *stream, int whence) {
  __pincer_use(stream);
  if (__pincer_pick("failure of moving in a file", -1, 0, 0) < 0) {
    __pincer_any_errno();
    return -1;
  }
  if (__pincer_watched()) {
    __pincer_state(stream)->ended = 0;
    __pincer_state(stream)->pushed = 0;
    __pincer_state(stream)->at_end = whence == 2;
  }
  return 0;
}

int fseek(struct _IO_FILE *stream, long offset, int whence) {
  return __pincer_moved(stream, whence);
}

int fseeko(struct _IO_FILE *stream, off_t offset, int whence) {
  return __pincer_moved(stream, whence);
}

void rewind(struct _IO_FILE *stream) {
  __pincer_moved(stream, 0);
  clearerr(stream);
}

long ftell(struct _IO_FILE *stream) {
  __pincer_use(stream);
  if (!__pincer_state(stream)->at_end)
    __pincer_unsupported("the position in a file elsewhere than at its end");
  long position = __pincer_pick_long("position in a file", -1, (long)(~0UL >> 1), 0);
  if (position < 0)
    __pincer_any_errno();
  return position;
}

off_t ftello(struct _IO_FILE *stream) {
  return ftell(stream);
}

struct _IO_FILE *__pincer_opened(void) {
  if (__pincer_pick("failure of opening", 0, 1, 0)) {
    __pincer_any_errno();
    return 0;
  }
  return __pincer_new_stream();
}

int __pincer_may_be_own(const char *mode) {
  int is_made = mode[0] != 'r';
  int is_written = is_made || mode[1] == '+' || (mode[1] != 0 && mode[2] == '+');
  __pincer_at_once(1);
  int is_own = __pincer_files_made || is_made;
  if (is_written)
    __pincer_files_made = 1;
  __pincer_at_once(0);
  return is_own;
}

struct _IO_FILE *fopen(const char *name, const char *mode) {
  __pincer_read_text(name);
  __pincer_read_text(mode);
  int is_own = __pincer_may_be_own(mode);
  struct _IO_FILE *stream = __pincer_opened();
  if (stream != 0)
    __pincer_state(stream)->own = is_own;
  return stream;
}

struct _IO_FILE *popen(const char *command, const char *mode) {
  __pincer_read_text(command);
  __pincer_read_text(mode);
  return __pincer_opened();
}

struct _IO_FILE *fdopen(int file, const char *mode) {
  __pincer_read_text(mode);
  return __pincer_opened();
}

struct _IO_FILE *tmpfile(void) {
  struct _IO_FILE *stream = __pincer_opened();
  if (stream != 0)
    __pincer_state(stream)->own = 1;
  return stream;
}

struct _IO_FILE *freopen(const char *name, const char *mode, struct _IO_FILE *stream) {
  __pincer_use(stream);
  if (name != 0)
    __pincer_read_text(name);
  __pincer_read_text(mode);
  if (__pincer_pick("failure of opening", 0, 1, 0)) {
    __pincer_any_errno();
    __pincer_end_stream(stream);
    return 0;
  }
  __pincer_moved(stream, 0);
  __pincer_state(stream)->own = __pincer_may_be_own(mode);
  return stream;
}

int fclose(struct _IO_FILE *stream) {
  __pincer_use(stream);
  __pincer_end_stream(stream);
  if (__pincer_pick("failure of closing", -1, 0, 0) < 0) {
    __pincer_any_errno();
    return -1;
  }
  return 0;
}

int pclose(struct _IO_FILE *stream) {
  __pincer_use(stream);
  __pincer_end_stream(stream);
  int status = __pincer_pick("status of a command", -1, 65535, 0);
  if (status < 0)
    __pincer_any_errno();
  return status;
}

int fflush(struct _IO_FILE *stream) {
  if (stream != 0)
    __pincer_use(stream);
  return __pincer_written(stream) ? 0 : -1;
}

int __pincer_written(struct _IO_FILE *stream) {
  if (__pincer_pick("failure of writing", 0, 1, 0)) {
    if (stream != 0 && __pincer_watched())
      __pincer_state(stream)->failed = 1;
    __pincer_other_errno();
    return 0;
  }
  return 1;
}

void __pincer_write_on(struct _IO_FILE *stream) {
  if (__pincer_failures_show())
    __pincer_written(stream);
}

void __effects_of_fflush(struct _IO_FILE *stream) {
  if (stream != 0)
    __pincer_use(stream);
  __pincer_write_on(stream);
}

void __effects_of_fputc(int character, struct _IO_FILE *stream) {
  __pincer_use(stream);
  __pincer_write_on(stream);
}

void __effects_of_putc(int character, struct _IO_FILE *stream) {
  __effects_of_fputc(character, stream);
}

int fputc(int character, struct _IO_FILE *stream) {
  __pincer_use(stream);
  return __pincer_written(stream) ? (unsigned char)character : -1;
}

int putc(int character, struct _IO_FILE *stream) {
  return fputc(character, stream);
}

int _IO_putc(int character, struct _IO_FILE *stream) {
  return fputc(character, stream);
}

int putc_unlocked(int character, struct _IO_FILE *stream) {
  return fputc(character, stream);
}

int putchar(int character) {
  return fputc(character, stdout);
}

int putchar_unlocked(int character) {
  return fputc(character, stdout);
}

int fputs(const char *text, struct _IO_FILE *stream) {
  __pincer_read_text(text);
  __pincer_use(stream);
  return __pincer_written(stream) ? __pincer_pick("result of writing", 0, 2147483647, 1) : -1;
}

int puts(const char *text) {
  return fputs(text, stdout);
}

size_t fwrite(const void *source, size_t size, size_t count, struct _IO_FILE *stream) {
  if (size != 0 && count > ~(size_t)0 / size)
    __pincer_unsupported("a number of bytes to write that is out of range");
  __pincer_read_bytes(source, size * count);
  __pincer_use(stream);
  if (size == 0 || count == 0 || __pincer_written(stream))
    return size == 0 ? 0 : count;
  size_t written = __pincer_pick_size("number of elements written", 0, count - 1, 0);
  return written;
}

void __effects_of_fwrite(const void *source, size_t size, size_t count, struct _IO_FILE *stream) {
  if (size != 0 && count > ~(size_t)0 / size)
    __pincer_unsupported("a number of bytes to write that is out of range");
  __pincer_read_bytes(source, size * count);
  __pincer_use(stream);
  if (size != 0 && count != 0)
    __pincer_write_on(stream);
}

size_t fwrite_unlocked(const void *source, size_t size, size_t count, struct _IO_FILE *stream) {
  return fwrite(source, size, count, stream);
}

int fileno(struct _IO_FILE *stream) {
  __pincer_use(stream);
  void *object = stream;
  if (object == &__pincer_stdin)
    return 0;
  if (object == &__pincer_stdout)
    return 1;
  if (object == &__pincer_stderr)
    return 2;
  return __pincer_pick("number of a file", 0, 2147483647, 3);
}

void perror(const char *text) {
  if (text != 0)
    __pincer_read_text(text);
}
