// A line of an INI file: section, or name and value with the spaces around them cut off, or a comment.
// @sizes 1 128
// @broken 3
#include "symbolic.h"

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char *left_stripped(char *s)
{
    while (*s && is_space(*s))
        s++;
    return s;
}

static char *right_stripped(char *s)
{
    char *end = s + strlen(s);
#ifdef BROKEN
    while (is_space(*--end))
#else
    while (end > s && is_space(*--end))
#endif
        *end = 0;
    return s;
}

static char *find(char *s, char wanted)
{
    while (*s && *s != wanted && *s != ';')
        s++;
    return *s == wanted ? s : NULL;
}

int main(void)
{
    char *line = malloc(N + 1);
    if (!line)
        return 0;
    symbolic_text(line, N);
    char *start = right_stripped(left_stripped(line));
    char *name = NULL, *value = NULL, *section = NULL;
    if (*start == '[') {
        char *end = find(start + 1, ']');
        if (end) {
            *end = 0;
            section = start + 1;
        }
    } else if (*start && *start != ';' && *start != '#') {
        char *end = find(start, '=');
        if (end) {
            *end = 0;
            name = right_stripped(start);
            value = right_stripped(left_stripped(end + 1));
        }
    }
    if (name) {
        size_t length = strlen(name);
        assert(length < N);
        assert(length == 0 || !is_space(name[length - 1]));
        assert(!is_space(value[0]));
        assert(value + strlen(value) <= line + N);
    }
    if (section)
        assert(strlen(section) + 2 <= N);
    free(line);
    return 0;
}
