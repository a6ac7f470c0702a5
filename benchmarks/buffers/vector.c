// A vector that grows by doubling: N bytes say what is pushed, popped, inserted or removed.
// @sizes 1 32
// @broken 5
#include "symbolic.h"

struct vector {
    int *data;
    size_t length, room;
};

static int reserve(struct vector *v, size_t wanted)
{
    if (wanted <= v->room)
        return 1;
    size_t room = v->room ? v->room * 2 : 2;
    int *data = realloc(v->data, room * sizeof *data);
    if (!data)
        return 0;
    v->data = data;
    v->room = room;
    return 1;
}

static int insert(struct vector *v, size_t at, int value)
{
#ifdef BROKEN
    if (!reserve(v, v->length))
#else
    if (!reserve(v, v->length + 1))
#endif
        return 0;
    memmove(v->data + at + 1, v->data + at, (v->length - at) * sizeof *v->data);
    v->data[at] = value;
    v->length++;
    return 1;
}

static int remove_at(struct vector *v, size_t at)
{
    int value = v->data[at];
    v->length--;
    memmove(v->data + at, v->data + at + 1, (v->length - at) * sizeof *v->data);
    return value;
}

int main(void)
{
    struct vector v = {NULL, 0, 0};
    int sum = 0;
    for (int i = 0; i < N; i++) {
        unsigned char command = __VERIFIER_nondet_uchar();
        size_t at = v.length ? (command >> 2) % (v.length + 1) : 0;
        if (command & 1) {
            if (insert(&v, at, i))
                sum += i;
        } else if (at < v.length) {
            sum -= remove_at(&v, at);
        }
        assert(v.length <= v.room);
    }
    for (size_t i = 0; i < v.length; i++)
        sum -= v.data[i];
    assert(sum == 0);
    free(v.data);
    return 0;
}
