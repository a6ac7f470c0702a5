// A formatter in the manner of snprintf: `%d`, `%u`, `%x`, `%c`, `%s` and widths, into a buffer of fixed size.
// @sizes 1 24
// @broken 4
#include "symbolic.h"

#define ROOM 12

struct output {
    char text[ROOM];
    size_t length;
};

static void put(struct output *o, char c)
{
#ifdef BROKEN
    if (o->length < ROOM)
#else
    if (o->length < ROOM - 1)
#endif
        o->text[o->length++] = c;
}

static void number(struct output *o, unsigned value, unsigned base, unsigned width)
{
    char digits[10];
    unsigned count = 0;
    do {
        digits[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    for (; width > count; width--)
        put(o, ' ');
    while (count)
        put(o, digits[--count]);
}

static void format(struct output *o, const char *f, int argument, const char *string)
{
    for (; *f; f++) {
        if (*f != '%') {
            put(o, *f);
            continue;
        }
        unsigned width = 0;
        for (f++; '0' <= *f && *f <= '9'; f++)
            width = (width * 10 + (unsigned)(*f - '0')) % 16;
        switch (*f) {
        case 'd':
            if (argument < 0)
                put(o, '-');
            number(o, argument < 0 ? 0u - (unsigned)argument : (unsigned)argument, 10, width);
            break;
        case 'u':
            number(o, (unsigned)argument, 10, width);
            break;
        case 'x':
            number(o, (unsigned)argument, 16, width);
            break;
        case 'c':
            put(o, (char)(argument & 127));
            break;
        case 's':
            for (const char *s = string; *s; s++)
                put(o, *s);
            break;
        case 0:
            f--;
            break;
        default:
            put(o, *f);
        }
    }
    o->text[o->length] = 0;
}

int main(void)
{
    char f[N + 1];
    struct output o = {{0}, 0};
    symbolic_text(f, N);
    format(&o, f, 1999, "abc");
    assert(o.length < ROOM);
    assert(strlen(o.text) <= o.length);
    return 0;
}
