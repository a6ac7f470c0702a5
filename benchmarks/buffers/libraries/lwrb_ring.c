// lwrb: what is written to the ring comes out in the same order, over its end as well.
// @sizes 1 32
// @broken 4
// @folder lwrb/lwrb/src/include
#define LWRB_DISABLE_ATOMIC
#include "lwrb/lwrb/src/lwrb/lwrb.c"
#include "symbolic.h"

int main(void)
{
    static unsigned char storage[N + 1];
    unsigned char in[N], out[N];
    lwrb_t ring;
    assert(lwrb_init(&ring, storage, sizeof storage));
    symbolic_bytes(in, N);
    size_t skipped = __VERIFIER_nondet_uchar() % (N + 1);
    assert(lwrb_write(&ring, in, skipped) == skipped);
    assert(lwrb_skip(&ring, skipped) == skipped);
    size_t wanted = __VERIFIER_nondet_uchar();
    size_t written = lwrb_write(&ring, in, wanted <= N ? wanted : N);
    assert(lwrb_get_full(&ring) == written);
#ifdef BROKEN
    size_t got = lwrb_read(&ring, out, N) + 1;
#else
    size_t got = lwrb_read(&ring, out, N);
#endif
    assert(got == written);
    for (size_t i = 0; i < got; i++)
        assert(out[i] == in[i]);
    return 0;
}
