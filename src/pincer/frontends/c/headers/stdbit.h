#ifndef _STDBIT_H
#define _STDBIT_H
#define __STDC_VERSION_STDBIT_H__ 202311L
#define __STDC_ENDIAN_LITTLE__ 1234
#define __STDC_ENDIAN_BIG__ 4321
#define __STDC_ENDIAN_NATIVE__ __STDC_ENDIAN_LITTLE__
static inline unsigned int stdc_leading_zeros_uc(unsigned char value) { return value ? __builtin_clzll(value) - (64 - (unsigned int)(8 * sizeof value)) : (unsigned int)(8 * sizeof value); }
static inline unsigned int stdc_leading_zeros_us(unsigned short value) { return value ? __builtin_clzll(value) - (64 - (unsigned int)(8 * sizeof value)) : (unsigned int)(8 * sizeof value); }
static inline unsigned int stdc_leading_zeros_ui(unsigned int value) { return value ? __builtin_clzll(value) - (64 - (unsigned int)(8 * sizeof value)) : (unsigned int)(8 * sizeof value); }
static inline unsigned int stdc_leading_zeros_ul(unsigned long value) { return value ? __builtin_clzll(value) - (64 - (unsigned int)(8 * sizeof value)) : (unsigned int)(8 * sizeof value); }
static inline unsigned int stdc_leading_zeros_ull(unsigned long long value) { return value ? __builtin_clzll(value) - (64 - (unsigned int)(8 * sizeof value)) : (unsigned int)(8 * sizeof value); }
#define stdc_leading_zeros(value) _Generic((value), unsigned char: stdc_leading_zeros_uc, unsigned short: stdc_leading_zeros_us, unsigned int: stdc_leading_zeros_ui, unsigned long: stdc_leading_zeros_ul, unsigned long long: stdc_leading_zeros_ull)(value)
static inline unsigned int stdc_leading_ones_uc(unsigned char value) { return stdc_leading_zeros_uc((unsigned char)~value); }
static inline unsigned int stdc_leading_ones_us(unsigned short value) { return stdc_leading_zeros_us((unsigned short)~value); }
static inline unsigned int stdc_leading_ones_ui(unsigned int value) { return stdc_leading_zeros_ui((unsigned int)~value); }
static inline unsigned int stdc_leading_ones_ul(unsigned long value) { return stdc_leading_zeros_ul((unsigned long)~value); }
static inline unsigned int stdc_leading_ones_ull(unsigned long long value) { return stdc_leading_zeros_ull((unsigned long long)~value); }
#define stdc_leading_ones(value) _Generic((value), unsigned char: stdc_leading_ones_uc, unsigned short: stdc_leading_ones_us, unsigned int: stdc_leading_ones_ui, unsigned long: stdc_leading_ones_ul, unsigned long long: stdc_leading_ones_ull)(value)
static inline unsigned int stdc_trailing_zeros_uc(unsigned char value) { return value ? __builtin_ctzll(value) : (unsigned int)(8 * sizeof value); }
static inline unsigned int stdc_trailing_zeros_us(unsigned short value) { return value ? __builtin_ctzll(value) : (unsigned int)(8 * sizeof value); }
static inline unsigned int stdc_trailing_zeros_ui(unsigned int value) { return value ? __builtin_ctzll(value) : (unsigned int)(8 * sizeof value); }
static inline unsigned int stdc_trailing_zeros_ul(unsigned long value) { return value ? __builtin_ctzll(value) : (unsigned int)(8 * sizeof value); }
static inline unsigned int stdc_trailing_zeros_ull(unsigned long long value) { return value ? __builtin_ctzll(value) : (unsigned int)(8 * sizeof value); }
#define stdc_trailing_zeros(value) _Generic((value), unsigned char: stdc_trailing_zeros_uc, unsigned short: stdc_trailing_zeros_us, unsigned int: stdc_trailing_zeros_ui, unsigned long: stdc_trailing_zeros_ul, unsigned long long: stdc_trailing_zeros_ull)(value)
static inline unsigned int stdc_trailing_ones_uc(unsigned char value) { return stdc_trailing_zeros_uc((unsigned char)~value); }
static inline unsigned int stdc_trailing_ones_us(unsigned short value) { return stdc_trailing_zeros_us((unsigned short)~value); }
static inline unsigned int stdc_trailing_ones_ui(unsigned int value) { return stdc_trailing_zeros_ui((unsigned int)~value); }
static inline unsigned int stdc_trailing_ones_ul(unsigned long value) { return stdc_trailing_zeros_ul((unsigned long)~value); }
static inline unsigned int stdc_trailing_ones_ull(unsigned long long value) { return stdc_trailing_zeros_ull((unsigned long long)~value); }
#define stdc_trailing_ones(value) _Generic((value), unsigned char: stdc_trailing_ones_uc, unsigned short: stdc_trailing_ones_us, unsigned int: stdc_trailing_ones_ui, unsigned long: stdc_trailing_ones_ul, unsigned long long: stdc_trailing_ones_ull)(value)
static inline unsigned int stdc_first_leading_zero_uc(unsigned char value) { return (unsigned char)~value ? stdc_leading_ones_uc(value) + 1 : 0; }
static inline unsigned int stdc_first_leading_zero_us(unsigned short value) { return (unsigned short)~value ? stdc_leading_ones_us(value) + 1 : 0; }
static inline unsigned int stdc_first_leading_zero_ui(unsigned int value) { return (unsigned int)~value ? stdc_leading_ones_ui(value) + 1 : 0; }
static inline unsigned int stdc_first_leading_zero_ul(unsigned long value) { return (unsigned long)~value ? stdc_leading_ones_ul(value) + 1 : 0; }
static inline unsigned int stdc_first_leading_zero_ull(unsigned long long value) { return (unsigned long long)~value ? stdc_leading_ones_ull(value) + 1 : 0; }
#define stdc_first_leading_zero(value) _Generic((value), unsigned char: stdc_first_leading_zero_uc, unsigned short: stdc_first_leading_zero_us, unsigned int: stdc_first_leading_zero_ui, unsigned long: stdc_first_leading_zero_ul, unsigned long long: stdc_first_leading_zero_ull)(value)
static inline unsigned int stdc_first_leading_one_uc(unsigned char value) { return value ? stdc_leading_zeros_uc(value) + 1 : 0; }
static inline unsigned int stdc_first_leading_one_us(unsigned short value) { return value ? stdc_leading_zeros_us(value) + 1 : 0; }
static inline unsigned int stdc_first_leading_one_ui(unsigned int value) { return value ? stdc_leading_zeros_ui(value) + 1 : 0; }
static inline unsigned int stdc_first_leading_one_ul(unsigned long value) { return value ? stdc_leading_zeros_ul(value) + 1 : 0; }
static inline unsigned int stdc_first_leading_one_ull(unsigned long long value) { return value ? stdc_leading_zeros_ull(value) + 1 : 0; }
#define stdc_first_leading_one(value) _Generic((value), unsigned char: stdc_first_leading_one_uc, unsigned short: stdc_first_leading_one_us, unsigned int: stdc_first_leading_one_ui, unsigned long: stdc_first_leading_one_ul, unsigned long long: stdc_first_leading_one_ull)(value)
static inline unsigned int stdc_first_trailing_zero_uc(unsigned char value) { return (unsigned char)~value ? stdc_trailing_ones_uc(value) + 1 : 0; }
static inline unsigned int stdc_first_trailing_zero_us(unsigned short value) { return (unsigned short)~value ? stdc_trailing_ones_us(value) + 1 : 0; }
static inline unsigned int stdc_first_trailing_zero_ui(unsigned int value) { return (unsigned int)~value ? stdc_trailing_ones_ui(value) + 1 : 0; }
static inline unsigned int stdc_first_trailing_zero_ul(unsigned long value) { return (unsigned long)~value ? stdc_trailing_ones_ul(value) + 1 : 0; }
static inline unsigned int stdc_first_trailing_zero_ull(unsigned long long value) { return (unsigned long long)~value ? stdc_trailing_ones_ull(value) + 1 : 0; }
#define stdc_first_trailing_zero(value) _Generic((value), unsigned char: stdc_first_trailing_zero_uc, unsigned short: stdc_first_trailing_zero_us, unsigned int: stdc_first_trailing_zero_ui, unsigned long: stdc_first_trailing_zero_ul, unsigned long long: stdc_first_trailing_zero_ull)(value)
static inline unsigned int stdc_first_trailing_one_uc(unsigned char value) { return value ? stdc_trailing_zeros_uc(value) + 1 : 0; }
static inline unsigned int stdc_first_trailing_one_us(unsigned short value) { return value ? stdc_trailing_zeros_us(value) + 1 : 0; }
static inline unsigned int stdc_first_trailing_one_ui(unsigned int value) { return value ? stdc_trailing_zeros_ui(value) + 1 : 0; }
static inline unsigned int stdc_first_trailing_one_ul(unsigned long value) { return value ? stdc_trailing_zeros_ul(value) + 1 : 0; }
static inline unsigned int stdc_first_trailing_one_ull(unsigned long long value) { return value ? stdc_trailing_zeros_ull(value) + 1 : 0; }
#define stdc_first_trailing_one(value) _Generic((value), unsigned char: stdc_first_trailing_one_uc, unsigned short: stdc_first_trailing_one_us, unsigned int: stdc_first_trailing_one_ui, unsigned long: stdc_first_trailing_one_ul, unsigned long long: stdc_first_trailing_one_ull)(value)
static inline unsigned int stdc_count_zeros_uc(unsigned char value) { return (unsigned int)(8 * sizeof value) - __builtin_popcountll(value); }
static inline unsigned int stdc_count_zeros_us(unsigned short value) { return (unsigned int)(8 * sizeof value) - __builtin_popcountll(value); }
static inline unsigned int stdc_count_zeros_ui(unsigned int value) { return (unsigned int)(8 * sizeof value) - __builtin_popcountll(value); }
static inline unsigned int stdc_count_zeros_ul(unsigned long value) { return (unsigned int)(8 * sizeof value) - __builtin_popcountll(value); }
static inline unsigned int stdc_count_zeros_ull(unsigned long long value) { return (unsigned int)(8 * sizeof value) - __builtin_popcountll(value); }
#define stdc_count_zeros(value) _Generic((value), unsigned char: stdc_count_zeros_uc, unsigned short: stdc_count_zeros_us, unsigned int: stdc_count_zeros_ui, unsigned long: stdc_count_zeros_ul, unsigned long long: stdc_count_zeros_ull)(value)
static inline unsigned int stdc_count_ones_uc(unsigned char value) { return __builtin_popcountll(value); }
static inline unsigned int stdc_count_ones_us(unsigned short value) { return __builtin_popcountll(value); }
static inline unsigned int stdc_count_ones_ui(unsigned int value) { return __builtin_popcountll(value); }
static inline unsigned int stdc_count_ones_ul(unsigned long value) { return __builtin_popcountll(value); }
static inline unsigned int stdc_count_ones_ull(unsigned long long value) { return __builtin_popcountll(value); }
#define stdc_count_ones(value) _Generic((value), unsigned char: stdc_count_ones_uc, unsigned short: stdc_count_ones_us, unsigned int: stdc_count_ones_ui, unsigned long: stdc_count_ones_ul, unsigned long long: stdc_count_ones_ull)(value)
static inline _Bool stdc_has_single_bit_uc(unsigned char value) { return value && !(value & (value - 1)); }
static inline _Bool stdc_has_single_bit_us(unsigned short value) { return value && !(value & (value - 1)); }
static inline _Bool stdc_has_single_bit_ui(unsigned int value) { return value && !(value & (value - 1)); }
static inline _Bool stdc_has_single_bit_ul(unsigned long value) { return value && !(value & (value - 1)); }
static inline _Bool stdc_has_single_bit_ull(unsigned long long value) { return value && !(value & (value - 1)); }
#define stdc_has_single_bit(value) _Generic((value), unsigned char: stdc_has_single_bit_uc, unsigned short: stdc_has_single_bit_us, unsigned int: stdc_has_single_bit_ui, unsigned long: stdc_has_single_bit_ul, unsigned long long: stdc_has_single_bit_ull)(value)
static inline unsigned int stdc_bit_width_uc(unsigned char value) { return (unsigned int)(8 * sizeof value) - stdc_leading_zeros_uc(value); }
static inline unsigned int stdc_bit_width_us(unsigned short value) { return (unsigned int)(8 * sizeof value) - stdc_leading_zeros_us(value); }
static inline unsigned int stdc_bit_width_ui(unsigned int value) { return (unsigned int)(8 * sizeof value) - stdc_leading_zeros_ui(value); }
static inline unsigned int stdc_bit_width_ul(unsigned long value) { return (unsigned int)(8 * sizeof value) - stdc_leading_zeros_ul(value); }
static inline unsigned int stdc_bit_width_ull(unsigned long long value) { return (unsigned int)(8 * sizeof value) - stdc_leading_zeros_ull(value); }
#define stdc_bit_width(value) _Generic((value), unsigned char: stdc_bit_width_uc, unsigned short: stdc_bit_width_us, unsigned int: stdc_bit_width_ui, unsigned long: stdc_bit_width_ul, unsigned long long: stdc_bit_width_ull)(value)
static inline unsigned char stdc_bit_floor_uc(unsigned char value) { return value ? (unsigned char)((unsigned char)1 << (stdc_bit_width_uc(value) - 1)) : 0; }
static inline unsigned short stdc_bit_floor_us(unsigned short value) { return value ? (unsigned short)((unsigned short)1 << (stdc_bit_width_us(value) - 1)) : 0; }
static inline unsigned int stdc_bit_floor_ui(unsigned int value) { return value ? (unsigned int)((unsigned int)1 << (stdc_bit_width_ui(value) - 1)) : 0; }
static inline unsigned long stdc_bit_floor_ul(unsigned long value) { return value ? (unsigned long)((unsigned long)1 << (stdc_bit_width_ul(value) - 1)) : 0; }
static inline unsigned long long stdc_bit_floor_ull(unsigned long long value) { return value ? (unsigned long long)((unsigned long long)1 << (stdc_bit_width_ull(value) - 1)) : 0; }
#define stdc_bit_floor(value) _Generic((value), unsigned char: stdc_bit_floor_uc, unsigned short: stdc_bit_floor_us, unsigned int: stdc_bit_floor_ui, unsigned long: stdc_bit_floor_ul, unsigned long long: stdc_bit_floor_ull)(value)
static inline unsigned char stdc_bit_ceil_uc(unsigned char value) { return value < 2 ? 1 : stdc_bit_width_uc(value - 1) == (unsigned int)(8 * sizeof value) ? 0 : (unsigned char)((unsigned char)1 << stdc_bit_width_uc(value - 1)); }
static inline unsigned short stdc_bit_ceil_us(unsigned short value) { return value < 2 ? 1 : stdc_bit_width_us(value - 1) == (unsigned int)(8 * sizeof value) ? 0 : (unsigned short)((unsigned short)1 << stdc_bit_width_us(value - 1)); }
static inline unsigned int stdc_bit_ceil_ui(unsigned int value) { return value < 2 ? 1 : stdc_bit_width_ui(value - 1) == (unsigned int)(8 * sizeof value) ? 0 : (unsigned int)((unsigned int)1 << stdc_bit_width_ui(value - 1)); }
static inline unsigned long stdc_bit_ceil_ul(unsigned long value) { return value < 2 ? 1 : stdc_bit_width_ul(value - 1) == (unsigned int)(8 * sizeof value) ? 0 : (unsigned long)((unsigned long)1 << stdc_bit_width_ul(value - 1)); }
static inline unsigned long long stdc_bit_ceil_ull(unsigned long long value) { return value < 2 ? 1 : stdc_bit_width_ull(value - 1) == (unsigned int)(8 * sizeof value) ? 0 : (unsigned long long)((unsigned long long)1 << stdc_bit_width_ull(value - 1)); }
#define stdc_bit_ceil(value) _Generic((value), unsigned char: stdc_bit_ceil_uc, unsigned short: stdc_bit_ceil_us, unsigned int: stdc_bit_ceil_ui, unsigned long: stdc_bit_ceil_ul, unsigned long long: stdc_bit_ceil_ull)(value)
#endif
