/* Without a guard: each inclusion obeys the NDEBUG of the moment. */
#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
void __pincer_assert(int);
#define assert(expression) __pincer_assert((expression) != 0)
#endif
#undef static_assert
#define static_assert _Static_assert
