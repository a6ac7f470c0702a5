/* A backslash at the end is followed by what lies behind the text. */
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static int unescape(const char *in, size_t n, char *out, size_t room)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        char c = in[i];
        if (c == '\\') {
            if (++i > n)
                return -1;
            c = in[i] == 'n' ? '\n' : in[i];
        }
        if (used + 1 >= room)
            return -1;
        out[used++] = c;
    }
    out[used] = 0;
    return 0;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), room = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000 || room == 0 || room > 100000)
        return 0;
    char *in = malloc(n), *out = malloc(room);
    if (in && out) {
        for (unsigned i = 0; i < n; i++)
            in[i] = (char)__VERIFIER_nondet_uchar();
        if (unescape(in, n, out, room) == 0 && strlen(out) >= room)
            reach_error();
    }
    free(in);
    free(out);
    return 0;
}
