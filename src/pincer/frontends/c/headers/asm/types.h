#ifndef _ASM_TYPES_H
#define _ASM_TYPES_H
typedef __INT8_TYPE__ __s8;
typedef __UINT8_TYPE__ __u8;
typedef __INT16_TYPE__ __s16;
typedef __UINT16_TYPE__ __u16;
typedef __INT32_TYPE__ __s32;
typedef __UINT32_TYPE__ __u32;
typedef long long __s64;
typedef unsigned long long __u64;
#endif
