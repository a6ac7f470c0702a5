/*
 * A proof about a loop that no number of tests can give: `n` is any number of
 * rounds. The buffer gains what the source loses, whatever is moved in a round.
 *
 *     pincer check examples/8-loop.c --certificate proof.json
 *     pincer certify proof.json
 *
 * The proof is an invariant at the head of the loop (source + buffer == n). It
 * is checked again by `certify`, which does not use the engine that found it.
 */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned source = n;
    unsigned buffer = 0;

    while (source > 0) {
        unsigned moved = __VERIFIER_nondet_uint();
        if (moved > source)
            moved = 1;
        source -= moved;
        buffer += moved;
    }
    assert(buffer == n);
    return 0;
}
