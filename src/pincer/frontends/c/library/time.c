#include <sys/time.h>
#include <time.h>

long time(long *target) {
  long now = __pincer_pick_long("time of day in seconds", 0, sizeof(long) == 8 ? (long)253402300799LL : 2147483647, 1700000000);
  if (target != 0)
    *target = now;
  return now;
}

int __pincer_clock(long *seconds, long *fraction, long parts) {
  *seconds = __pincer_pick_long("time of day in seconds", 0, sizeof(long) == 8 ? (long)253402300799LL : 2147483647, 1700000000);
  *fraction = __pincer_pick_long("part of a second", 0, parts - 1, 0);
  return 0;
}

int gettimeofday(struct timeval *target, void *zone) {
  long *parts = (long *)target;
  return __pincer_clock(parts, parts + 1, 1000000);
}

long __pincer_passed[16];
_Thread_local long __pincer_passed_here[2];

/* Clocks that nobody sets go on: all but CLOCK_REALTIME, its coarse one, its alarm, and CLOCK_TAI. */
void __pincer_go_on(const long *parts, long *passed) {
  __pincer_assume(parts[0] > passed[0] || (parts[0] == passed[0] && parts[1] >= passed[1]));
  passed[0] = parts[0];
  passed[1] = parts[1];
}

void __pincer_read_clock(int clock, long *parts) {
  __pincer_clock(parts, parts + 1, 1000000000);
  __pincer_at_once(1);
  if (clock == 3)
    __pincer_go_on(parts, __pincer_passed_here);
  else if (clock == 1 || clock == 2 || clock == 4 || clock == 6 || clock == 7)
    __pincer_go_on(parts, __pincer_passed + 2 * clock);
  __pincer_at_once(0);
}

int clock_gettime(int clock, struct timespec *target) {
  long parts[2];
  if (__pincer_pick("failure of a clock", -1, 0, 0) < 0) {
    __pincer_any_errno();
    return -1;
  }
  __pincer_read_clock(clock, parts);
  *(long *)target = parts[0];
  *((long *)target + 1) = parts[1];
  return 0;
}

int timespec_get(struct timespec *target, int base) {
  long *parts = (long *)target;
  __pincer_clock(parts, parts + 1, 1000000000);
  return base;
}

double difftime(long after, long before) {
  if (after < before)
    return -(double)((unsigned long)before - (unsigned long)after);
  return (double)((unsigned long)after - (unsigned long)before);
}

struct tm *__pincer_moment(long time, struct tm *target) {
  int *parts = (int *)target;
  long days = time / 86400 - (time % 86400 < 0);
  long rest = (time % 86400 + 86400) % 86400;
  parts[0] = (int)(rest % 60);
  parts[1] = (int)(rest / 60 % 60);
  parts[2] = (int)(rest / 3600);
  parts[6] = (int)(days % 7 + 11) % 7;
  long since = days + 719468;
  long era = (since >= 0 ? since : since - 146096) / 146097;
  long day = since - era * 146097;
  long year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  long of_year = day - (365 * year + year / 4 - year / 100);
  long month = (5 * of_year + 2) / 153;
  parts[3] = (int)(of_year - (153 * month + 2) / 5 + 1);
  parts[4] = (int)(month < 10 ? month + 2 : month - 10);
  long full = year + era * 400 + (month >= 10);
  parts[5] = (int)(full - 1900);
  int leap = (full % 4 == 0 && full % 100 != 0) || full % 400 == 0;
  parts[7] = (int)(month >= 10 ? of_year - 306 : of_year + 59 + leap);
  parts[8] = 0;
  long *zone = (long *)(parts + (sizeof(long) == 8 ? 10 : 9));
  zone[0] = 0;
  *(const char **)(zone + 1) = "GMT";
  return target;
}

struct tm *gmtime_r(const long *time, struct tm *target) {
  return __pincer_moment(*time, target);
}

struct tm *localtime_r(const long *time, struct tm *target) {
  return __pincer_moment(*time, target);
}

struct tm *gmtime(const long *time) {
  static long moment[11];
  return __pincer_moment(*time, (struct tm *)moment);
}

struct tm *localtime(const long *time) {
  return gmtime(time);
}

size_t __pincer_any_time(char *target, size_t size) {
  size_t length = __pincer_pick_size("length of a time as text", 0, size - 1, 0);
  for (size_t i = 0; i < length; i++)
    target[i] = (char)__pincer_pick("character of a time as text", 1, 255, 'a');
  target[length] = 0;
  return length;
}

/* The parts of a time that have a width of their own: 0 for others, and where a part is out of its range. */
size_t __pincer_put_time(char *target, size_t size, size_t at, int letter, const int *parts) {
  int value;
  int scale = 10;
  if ((letter == 'I' || letter == 'p') && (parts[2] < 0 || parts[2] > 23))
    return 0;
  if (letter == 'S')
    value = parts[0];
  else if (letter == 'M')
    value = parts[1];
  else if (letter == 'H')
    value = parts[2];
  else if (letter == 'd')
    value = parts[3];
  else if (letter == 'm')
    value = parts[4] + 1;
  else if (letter == 'y')
    value = parts[5] % 100;
  else if (letter == 'I')
    value = parts[2] % 12 == 0 ? 12 : parts[2] % 12;
  else if (letter == 'j') {
    value = parts[7] + 1;
    scale = 100;
  } else if (letter == 'Y') {
    value = parts[5] + 1900;
    scale = 1000;
    if (value < 1000)
      return 0;
  } else if (letter == 'a' && parts[6] >= 0 && parts[6] < 7)
    return __pincer_put_bytes(target, size, at, "SunMonTueWedThuFriSat" + 3 * parts[6], 3);
  else if (letter == 'b' && parts[4] >= 0 && parts[4] < 12)
    return __pincer_put_bytes(target, size, at, "JanFebMarAprMayJunJulAugSepOctNovDec" + 3 * parts[4], 3);
  else if (letter == 'p')
    return __pincer_put_bytes(target, size, at, parts[2] < 12 ? "AM" : "PM", 2);
  else
    return 0;
  if (value < 0 || value >= 10 * scale)
    return 0;
  while (scale != 0) {
    at = __pincer_put_fill(target, size, at, '0' + value / scale % 10, 1);
    scale = scale / 10;
  }
  return at;
}

size_t strftime(char *target, size_t size, const char *format, const struct tm *time) {
  const int *parts = (const int *)time;
  const char *rest = "";
  size_t at = 0;
  __pincer_read_text(format);
  __pincer_read_bytes(time, 36);
  if (size == 0)
    return 0;
  while (*rest != 0 || *format != 0) {
    const char **next = *rest != 0 ? &rest : &format;
    int letter = **next;
    (*next)++;
    if (letter == '%') {
      letter = **next;
      if (letter != 0)
        (*next)++;
      if (letter == 'F' || letter == 'T' || letter == 'R' || letter == 'D') {
        rest = letter == 'F' ? "%Y-%m-%d" : letter == 'T' ? "%H:%M:%S" : letter == 'R' ? "%H:%M" : "%m/%d/%y";
        continue;
      }
      if (letter != '%' && letter != 'n' && letter != 't') {
        size_t after = __pincer_put_time(target, size, at, letter, parts);
        if (after == 0)
          return __pincer_any_time(target, size);
        at = after;
        continue;
      }
      letter = letter == 'n' ? '\n' : letter == 't' ? '\t' : '%';
    }
    at = __pincer_put_fill(target, size, at, letter, 1);
  }
  if (at >= size)
    return 0;
  target[at] = 0;
  return at;
}
