#include <math.h>

double __pincer_remaining(double whole, double step) {
  double part = step;
  while (whole - part >= part)
    part += part;
  while (1) {
    if (whole >= part)
      whole -= part;
    if (part <= step)
      return whole;
    part /= 2;
  }
}

double fmod(double x, double y) {
  if (x != x || y != y)
    return x + y;
  if (x - x != 0 || y == 0)
    return (x - x) / (y - y);
  if (y - y != 0)
    return x;
  double size = __builtin_fabs(x), step = __builtin_fabs(y);
  return __builtin_copysign(size < step ? size : __pincer_remaining(size, step), x);
}

float fmodf(float x, float y) {
  return (float)fmod(x, y);
}

double remainder(double x, double y) {
  if (x != x || y != y)
    return x + y;
  if (x - x != 0 || y == 0)
    return (x - x) / (y - y);
  if (y - y != 0)
    return x;
  double size = __builtin_fabs(x), step = __builtin_fabs(y);
  if (step <= 0x1.fffffffffffffp1022)
    size = fmod(size, step + step);
  if (size - step > -size) {
    size -= step;
    if (size - step >= -size)
      size -= step;
  }
  double negative = __builtin_copysign(1.0, x);
  return size == 0 ? __builtin_copysign(size, x) : size * negative;
}

float remainderf(float x, float y) {
  return (float)remainder(x, y);
}

double frexp(double x, int *power) {
  union { double number; unsigned long long bits; } parts;
  int shift = 0;
  *power = 0;
  if (x != x || x - x != 0 || x == 0)
    return x + x;
  parts.number = x;
  if (__builtin_fabs(x) < 0x1p-1022) {
    parts.number = x * 0x1p54;
    shift = 54;
  }
  *power = (int)(parts.bits >> 52 & 2047) - 1022 - shift;
  parts.bits = (parts.bits & 0x800fffffffffffffULL) | 0x3fe0000000000000ULL;
  return parts.number;
}

float frexpf(float x, int *power) {
  return (float)frexp(x, power);
}

double scalbn(double x, int power) {
  union { double number; unsigned long long bits; } factor;
  if (power > 1023) {
    x *= 0x1p1023;
    power = power > 3069 ? 2046 : power - 1023;
  }
  if (power > 1023) {
    x *= 0x1p1023;
    power -= 1023;
  }
  if (power < -1022) {
    x *= 0x1p-969;
    power = power < -2960 ? -1991 : power + 969;
  }
  if (power < -1022) {
    x *= 0x1p-969;
    power += 969;
  }
  factor.bits = (unsigned long long)(power + 1023) << 52;
  return x * factor.number;
}

double ldexp(double x, int power) {
  return scalbn(x, power);
}

double scalbln(double x, long power) {
  return scalbn(x, power > 5000 ? 5000 : power < -5000 ? -5000 : (int)power);
}

float scalbnf(float x, int power) {
  return (float)scalbn(x, power > 400 ? 400 : power < -400 ? -400 : power);
}

float ldexpf(float x, int power) {
  return scalbnf(x, power);
}

float scalblnf(float x, long power) {
  return scalbnf(x, power > 400 ? 400 : power < -400 ? -400 : (int)power);
}

double modf(double x, double *whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(x == *whole ? 0.0 : x - *whole, x);
}

float modff(float x, float *whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(x == *whole ? 0.0f : x - *whole, x);
}

double nextafter(double x, double y) {
  union { double number; unsigned long long bits; } parts;
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  parts.number = x;
  if (x == 0) {
    parts.bits = 1;
    return __builtin_copysign(parts.number, y);
  }
  parts.bits = (x < y) == (x > 0) ? parts.bits + 1 : parts.bits - 1;
  return parts.number;
}

float nextafterf(float x, float y) {
  union { float number; unsigned bits; } parts;
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  parts.number = x;
  if (x == 0) {
    parts.bits = 1;
    return __builtin_copysignf(parts.number, y);
  }
  parts.bits = (x < y) == (x > 0) ? parts.bits + 1 : parts.bits - 1;
  return parts.number;
}

double fdim(double x, double y) {
  if (x != x || y != y)
    return x + y;
  return x > y ? x - y : 0;
}

float fdimf(float x, float y) {
  if (x != x || y != y)
    return x + y;
  return x > y ? x - y : 0;
}

int ilogb(double x) {
  int power;
  if (x != x || x == 0)
    return -2147483647 - 1;
  if (x - x != 0)
    return 2147483647;
  frexp(x, &power);
  return power - 1;
}

int ilogbf(float x) {
  return ilogb(x);
}

double logb(double x) {
  if (x != x || x - x != 0)
    return x * x;
  return x == 0 ? -1.0 / __builtin_fabs(x) : (double)ilogb(x);
}

float logbf(float x) {
  return (float)logb(x);
}
