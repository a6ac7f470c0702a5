// A hash table with open addressing: what was put in is found, and nothing else.
// @sizes 1 12
// @broken 3
#include "symbolic.h"

#define SLOTS 16

struct slot {
    int used;
    unsigned char key;
    int value;
};

static struct slot slots[SLOTS];

static unsigned hash(unsigned char key)
{
    return (key * 2654435761u) >> 28;
}

static struct slot *find(unsigned char key)
{
    unsigned at = hash(key);
    for (int tried = 0; tried < SLOTS; tried++) {
        struct slot *s = &slots[at];
        if (!s->used || s->key == key)
            return s;
#ifdef BROKEN
        at = at + 1;
#else
        at = (at + 1) % SLOTS;
#endif
    }
    return NULL;
}

int main(void)
{
    unsigned char keys[N];
    symbolic_bytes(keys, N);
    for (int i = 0; i < N; i++) {
        struct slot *s = find(keys[i]);
        assert(s != NULL);
        s->used = 1;
        s->key = keys[i];
        s->value = i;
    }
    for (int i = 0; i < N; i++) {
        struct slot *s = find(keys[i]);
        assert(s && s->used && s->key == keys[i]);
        assert(s->value >= i);
    }
    return 0;
}
