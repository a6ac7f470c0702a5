// A line of comma-separated values with quotes, copied field by field.
// @sizes 1 64
// @broken 4
#include "symbolic.h"

#define FIELDS 4

struct field {
    char *text;
    size_t length;
};

static int split(const char *line, char *room, struct field *fields)
{
    int count = 0;
    for (;;) {
        if (count == FIELDS)
            return -1;
        struct field *f = &fields[count++];
        f->text = room;
        if (*line == '"') {
            for (line++; *line; line++) {
                if (*line == '"') {
#ifdef BROKEN
                    line++;
                    if (*line != '"')
                        break;
#else
                    if (line[1] != '"')
                        break;
                    line++;
#endif
                }
                *room++ = *line;
            }
#ifdef BROKEN
            line++;
#else
            if (*line == 0)
                return -1;
            line++;
#endif
        } else {
            while (*line && *line != ',')
                *room++ = *line++;
        }
        f->length = (size_t)(room - f->text);
        *room++ = 0;
        if (*line == 0)
            return count;
        if (*line++ != ',')
            return -1;
    }
}

int main(void)
{
    char line[N + 1], room[N + 1];
    struct field fields[FIELDS];
    symbolic_text(line, N);
    int count = split(line, room, fields);
    size_t total = 0;
    for (int i = 0; i < count; i++) {
        assert(strlen(fields[i].text) == fields[i].length);
        total += fields[i].length + 1;
    }
    if (count >= 0)
        assert(1 <= count && total <= N + 1);
    return 0;
}
