/* What the compiler calls where arithmetic has no defined result, in the words of its own library. It is asked to do so
   only where that is the failure. */

struct __pincer_type { unsigned short is_floating, information; };  /* signed or not, and the logarithm of the width */
struct __pincer_operation {
    const char *file;
    unsigned line, column;
    const struct __pincer_type *left, *right;
};

static void __pincer_report_arithmetic(const char *what, const char *file, unsigned long line) {
    __pincer_say("\n");
    __pincer_say(file);
    __pincer_say(":");
    __pincer_say_number(line);
    __pincer_say(":1: runtime error: ");
    __pincer_say(what);
    __pincer_say("\n");
    __pincer_stop(PINCER_UNDEFINED_STATUS);
}

/* A number is handed over as it is where it fits into a pointer, else by its address. */
static long long __pincer_operand(const struct __pincer_type *type, unsigned long given) {
    int bits = 1 << (type->information >> 1), space = 8 * sizeof given;
    if (bits > space) return *(const long long *)given;
    return type->information & 1 ? (long)(given << (space - bits)) >> (space - bits) : (long long)given;
}

#define PINCER_UNDEFINED(name, what) \
    void __ubsan_handle_##name##_abort(const struct __pincer_operation *at, unsigned long left, unsigned long right) { \
        __pincer_report_arithmetic(what, at->file, at->line); \
    }
#define PINCER_RIGHT __pincer_operand(at->right, right)
#define PINCER_IS_AMOUNT (PINCER_RIGHT >= 0 && PINCER_RIGHT < 1 << (at->left->information >> 1))
PINCER_UNDEFINED(add_overflow, "signed integer overflow")
PINCER_UNDEFINED(sub_overflow, "signed integer overflow")
PINCER_UNDEFINED(mul_overflow, "signed integer overflow")
PINCER_UNDEFINED(negate_overflow, "negation of the least number")
PINCER_UNDEFINED(divrem_overflow, __pincer_operand(at->left, right) ? "division of the least number by -1" :
                                                                        "division by zero")
PINCER_UNDEFINED(shift_out_of_bounds, !PINCER_IS_AMOUNT ? "shift exponent is no amount" :
                 __pincer_operand(at->left, left) < 0 ? "left shift of negative number" : "left shift loses bits")
PINCER_UNDEFINED(invalid_builtin, "passing zero to a function about its bits")
/* This one may come without its place. */
void __ubsan_handle_float_cast_overflow_abort(const void *conversion, unsigned long from) {
    const struct __pincer_site *site = __pincer_find_site(__builtin_return_address(0));
    __pincer_report_arithmetic("outside the range of representable values", site ? site->file : "", site ? site->line : 0);
}
