// A tokenizer for JSON that fills a fixed table of tokens, each with its first and last byte.
// @sizes 1 64
// @broken 4
#include "symbolic.h"

enum kind { OBJECT, ARRAY, STRING, PRIMITIVE };

struct token {
    enum kind kind;
    int start, end, parent;
};

struct parser {
    int at, count, super;
};

#define TOKENS (N / 2 + 1)

static struct token *take(struct parser *p, struct token *tokens, enum kind kind, int start)
{
#ifdef BROKEN
    if (p->count > TOKENS)
#else
    if (p->count >= TOKENS)
#endif
        return NULL;
    struct token *t = &tokens[p->count++];
    t->kind = kind;
    t->start = start;
    t->end = -1;
    t->parent = p->super;
    return t;
}

static int string(struct parser *p, const char *js, int length, struct token *tokens)
{
    int start = p->at++;
    for (; p->at < length; p->at++) {
        char c = js[p->at];
        if (c == '"') {
            struct token *t = take(p, tokens, STRING, start + 1);
            if (!t)
                return -1;
            t->end = p->at;
            return 0;
        }
        if (c == '\\' && p->at + 1 < length)
            p->at++;
    }
    return -2;
}

static int primitive(struct parser *p, const char *js, int length, struct token *tokens)
{
    int start = p->at;
    for (; p->at < length; p->at++) {
        char c = js[p->at];
        if (c == ' ' || c == '\t' || c == '\n' || c == ',' || c == ']' || c == '}' || c == ':')
            break;
        if (c < 32 || c >= 127)
            return -2;
    }
    struct token *t = take(p, tokens, PRIMITIVE, start);
    if (!t)
        return -1;
    t->end = p->at;
    p->at--;
    return 0;
}

static int close_token(struct parser *p, struct token *tokens, enum kind kind)
{
    int open = p->super;
    if (open < 0 || tokens[open].kind != kind)
        return -2;
    tokens[open].end = p->at + 1;
    p->super = tokens[open].parent;
    return 0;
}

static int parse(struct parser *p, const char *js, int length, struct token *tokens)
{
    for (; p->at < length; p->at++) {
        int status = 0;
        switch (js[p->at]) {
        case '{':
        case '[':
            if (!take(p, tokens, js[p->at] == '{' ? OBJECT : ARRAY, p->at))
                return -1;
            p->super = p->count - 1;
            break;
        case '}':
        case ']':
            status = close_token(p, tokens, js[p->at] == '}' ? OBJECT : ARRAY);
            break;
        case '"':
            status = string(p, js, length, tokens);
            break;
        case ' ':
        case '\t':
        case '\n':
        case ',':
        case ':':
            break;
        default:
            status = primitive(p, js, length, tokens);
        }
        if (status)
            return status;
    }
    return p->super < 0 ? p->count : -2;
}

int main(void)
{
    char js[N + 1];
    struct token tokens[TOKENS];
    struct parser p = {0, 0, -1};
    symbolic_text(js, N);
    int found = parse(&p, js, N, tokens);
    assert(found <= TOKENS);
    for (int i = 0; i < found; i++) {
        assert(0 <= tokens[i].start && tokens[i].start <= tokens[i].end && tokens[i].end <= N);
        assert(tokens[i].parent < i);
    }
    return 0;
}
