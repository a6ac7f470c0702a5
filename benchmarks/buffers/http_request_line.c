// The first line of an HTTP request: method, target and version as ranges of the input.
// @sizes 1 128
// @broken 6
#include "symbolic.h"

struct slice {
    const char *at;
    size_t length;
};

static int is_token(char c)
{
    return ('A' <= c && c <= 'Z') || ('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || c == '-' || c == '_';
}

static const char *until_space(const char *at, const char *end, struct slice *word, int token)
{
    const char *start = at;
    for (;; at++) {
        if (at == end)
            return NULL;
        if (*at == ' ')
            break;
        if (token ? !is_token(*at) : (unsigned char)*at < 33 || *at == 127)
            return NULL;
    }
    word->at = start;
    word->length = (size_t)(at - start);
    return at + 1;
}

static const char *version(const char *at, const char *end, int *minor)
{
    static const char prefix[] = "HTTP/1.";
#ifdef BROKEN
    if (end - at < 7)
#else
    if (end - at < 8)
#endif
        return NULL;
    for (int i = 0; i < 7; i++)
        if (*at++ != prefix[i])
            return NULL;
    if (*at < '0' || *at > '9')
        return NULL;
    *minor = *at++ - '0';
    return at;
}

static int request_line(const char *at, const char *end, struct slice *method, struct slice *target, int *minor)
{
    if (!(at = until_space(at, end, method, 1)) || !(at = until_space(at, end, target, 0)))
        return -1;
    return (at = version(at, end, minor)) ? 0 : -1;
}

int main(void)
{
    /* What comes before the version is symbolic, and so is its last part. */
    enum { LENGTH = N + 7 };
    char *input = malloc(LENGTH);
    if (!input)
        return 0;
    size_t split = __VERIFIER_nondet_uint();
    if (split > N) {
        free(input);
        return 0;
    }
    for (size_t i = 0; i < LENGTH; i++)
        input[i] = split <= i && i < split + 7 ? "HTTP/1."[i - split] : (char)__VERIFIER_nondet_uchar();
    struct slice method, target;
    int minor = -1;
    if (request_line(input, input + LENGTH, &method, &target, &minor) == 0) {
        assert(0 <= minor && minor <= 9);
        assert(method.at == input);
        assert(target.at == method.at + method.length + 1);
        assert(method.length + target.length + 10 <= LENGTH);
        for (size_t i = 0; i < method.length; i++)
            assert(method.at[i] != ' ');
    }
    free(input);
    return 0;
}
