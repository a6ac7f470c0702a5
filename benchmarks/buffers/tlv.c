// Tag, length, value, with values nested to a depth of three: every value lies within its surroundings.
// @sizes 1 64
// @broken 4
#include "symbolic.h"

#define DEPTH 3

struct reader {
    const unsigned char *at, *end;
};

static int next(struct reader *r, unsigned char *tag, struct reader *value)
{
    if (r->end - r->at < 2)
        return 0;
    *tag = r->at[0];
    size_t length = r->at[1];
#ifndef BROKEN
    if (length > (size_t)(r->end - r->at) - 2)
        return 0;
#endif
    value->at = r->at + 2;
    value->end = value->at + length;
    r->at = value->end;
    return 1;
}

static unsigned sum(struct reader r, int depth)
{
    unsigned total = 0;
    unsigned char tag;
    struct reader value;
    while (next(&r, &tag, &value)) {
        if (tag & 0x20) {
            if (depth < DEPTH)
                total += sum(value, depth + 1);
        } else {
            for (; value.at < value.end; value.at++)
                total += *value.at;
        }
    }
    return total;
}

int main(void)
{
    unsigned char *message = malloc(N);
    if (!message)
        return 0;
    symbolic_bytes(message, N);
    struct reader all = {message, message + N};
    assert(sum(all, 1) <= 255u * N);
    free(message);
    return 0;
}
