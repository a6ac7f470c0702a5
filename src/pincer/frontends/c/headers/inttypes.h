#ifndef _INTTYPES_H
#define _INTTYPES_H
#include <stdint.h>
#include <stddef.h>
#if __SIZEOF_LONG__ == 8
#define __PRI64 "l"
#define __PRIPTR "l"
#else
#define __PRI64 "ll"
#define __PRIPTR ""
#endif
#define PRId8 "hh" "d"
#define PRId16 "h" "d"
#define PRId32 "d"
#define PRId64 __PRI64 "d"
#define PRIdMAX __PRI64 "d"
#define PRIdPTR __PRIPTR "d"
#define PRIi8 "hh" "i"
#define PRIi16 "h" "i"
#define PRIi32 "i"
#define PRIi64 __PRI64 "i"
#define PRIiMAX __PRI64 "i"
#define PRIiPTR __PRIPTR "i"
#define PRIo8 "hh" "o"
#define PRIo16 "h" "o"
#define PRIo32 "o"
#define PRIo64 __PRI64 "o"
#define PRIoMAX __PRI64 "o"
#define PRIoPTR __PRIPTR "o"
#define PRIu8 "hh" "u"
#define PRIu16 "h" "u"
#define PRIu32 "u"
#define PRIu64 __PRI64 "u"
#define PRIuMAX __PRI64 "u"
#define PRIuPTR __PRIPTR "u"
#define PRIx8 "hh" "x"
#define PRIx16 "h" "x"
#define PRIx32 "x"
#define PRIx64 __PRI64 "x"
#define PRIxMAX __PRI64 "x"
#define PRIxPTR __PRIPTR "x"
#define PRIX8 "hh" "X"
#define PRIX16 "h" "X"
#define PRIX32 "X"
#define PRIX64 __PRI64 "X"
#define PRIXMAX __PRI64 "X"
#define PRIXPTR __PRIPTR "X"
#define SCNd8 "hh" "d"
#define SCNd16 "h" "d"
#define SCNd32 "d"
#define SCNd64 __PRI64 "d"
#define SCNdMAX __PRI64 "d"
#define SCNdPTR __PRIPTR "d"
#define SCNi8 "hh" "i"
#define SCNi16 "h" "i"
#define SCNi32 "i"
#define SCNi64 __PRI64 "i"
#define SCNiMAX __PRI64 "i"
#define SCNiPTR __PRIPTR "i"
#define SCNo8 "hh" "o"
#define SCNo16 "h" "o"
#define SCNo32 "o"
#define SCNo64 __PRI64 "o"
#define SCNoMAX __PRI64 "o"
#define SCNoPTR __PRIPTR "o"
#define SCNu8 "hh" "u"
#define SCNu16 "h" "u"
#define SCNu32 "u"
#define SCNu64 __PRI64 "u"
#define SCNuMAX __PRI64 "u"
#define SCNuPTR __PRIPTR "u"
#define SCNx8 "hh" "x"
#define SCNx16 "h" "x"
#define SCNx32 "x"
#define SCNx64 __PRI64 "x"
#define SCNxMAX __PRI64 "x"
#define SCNxPTR __PRIPTR "x"
#define PRIdLEAST8 PRId8
#define PRIdFAST8 PRId8
#define PRIdLEAST16 PRId16
#define PRIdFAST16 PRIdPTR
#define PRIdLEAST32 PRId32
#define PRIdFAST32 PRIdPTR
#define PRIdLEAST64 PRId64
#define PRIdFAST64 PRId64
#define SCNdLEAST8 SCNd8
#define SCNdFAST8 SCNd8
#define SCNdLEAST16 SCNd16
#define SCNdFAST16 SCNdPTR
#define SCNdLEAST32 SCNd32
#define SCNdFAST32 SCNdPTR
#define SCNdLEAST64 SCNd64
#define SCNdFAST64 SCNd64
#define PRIiLEAST8 PRIi8
#define PRIiFAST8 PRIi8
#define PRIiLEAST16 PRIi16
#define PRIiFAST16 PRIiPTR
#define PRIiLEAST32 PRIi32
#define PRIiFAST32 PRIiPTR
#define PRIiLEAST64 PRIi64
#define PRIiFAST64 PRIi64
#define SCNiLEAST8 SCNi8
#define SCNiFAST8 SCNi8
#define SCNiLEAST16 SCNi16
#define SCNiFAST16 SCNiPTR
#define SCNiLEAST32 SCNi32
#define SCNiFAST32 SCNiPTR
#define SCNiLEAST64 SCNi64
#define SCNiFAST64 SCNi64
#define PRIoLEAST8 PRIo8
#define PRIoFAST8 PRIo8
#define PRIoLEAST16 PRIo16
#define PRIoFAST16 PRIoPTR
#define PRIoLEAST32 PRIo32
#define PRIoFAST32 PRIoPTR
#define PRIoLEAST64 PRIo64
#define PRIoFAST64 PRIo64
#define SCNoLEAST8 SCNo8
#define SCNoFAST8 SCNo8
#define SCNoLEAST16 SCNo16
#define SCNoFAST16 SCNoPTR
#define SCNoLEAST32 SCNo32
#define SCNoFAST32 SCNoPTR
#define SCNoLEAST64 SCNo64
#define SCNoFAST64 SCNo64
#define PRIuLEAST8 PRIu8
#define PRIuFAST8 PRIu8
#define PRIuLEAST16 PRIu16
#define PRIuFAST16 PRIuPTR
#define PRIuLEAST32 PRIu32
#define PRIuFAST32 PRIuPTR
#define PRIuLEAST64 PRIu64
#define PRIuFAST64 PRIu64
#define SCNuLEAST8 SCNu8
#define SCNuFAST8 SCNu8
#define SCNuLEAST16 SCNu16
#define SCNuFAST16 SCNuPTR
#define SCNuLEAST32 SCNu32
#define SCNuFAST32 SCNuPTR
#define SCNuLEAST64 SCNu64
#define SCNuFAST64 SCNu64
#define PRIxLEAST8 PRIx8
#define PRIxFAST8 PRIx8
#define PRIxLEAST16 PRIx16
#define PRIxFAST16 PRIxPTR
#define PRIxLEAST32 PRIx32
#define PRIxFAST32 PRIxPTR
#define PRIxLEAST64 PRIx64
#define PRIxFAST64 PRIx64
#define SCNxLEAST8 SCNx8
#define SCNxFAST8 SCNx8
#define SCNxLEAST16 SCNx16
#define SCNxFAST16 SCNxPTR
#define SCNxLEAST32 SCNx32
#define SCNxFAST32 SCNxPTR
#define SCNxLEAST64 SCNx64
#define SCNxFAST64 SCNx64
#define PRIXLEAST8 PRIX8
#define PRIXFAST8 PRIX8
#define PRIXLEAST16 PRIX16
#define PRIXFAST16 PRIXPTR
#define PRIXLEAST32 PRIX32
#define PRIXFAST32 PRIXPTR
#define PRIXLEAST64 PRIX64
#define PRIXFAST64 PRIX64
typedef struct { intmax_t quot; intmax_t rem; } imaxdiv_t;
intmax_t imaxabs(intmax_t);
imaxdiv_t imaxdiv(intmax_t, intmax_t);
intmax_t strtoimax(const char *, char **, int);
uintmax_t strtoumax(const char *, char **, int);
intmax_t wcstoimax(const wchar_t *, wchar_t **, int);
uintmax_t wcstoumax(const wchar_t *, wchar_t **, int);
#endif
