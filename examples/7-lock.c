/*
 * A lock that is sometimes kept. A server hands out numbered seats; the lock
 * protects the counter, and one of the ways out of `reserve` forgets it.
 *
 *     pincer check examples/7-lock.c
 *
 * Pincer prints the run that leads to the error (the inputs, the branches, the
 * values that changed), turns it into a C program, compiles it and runs it. Put
 * `unlock();` before `return NO_SEAT;` and the same command proves the program
 * for every number of requests.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void); /* an input: any int */

#define SEATS 5
#define NO_SEAT (-1)

static int locked;
static int sold;

static void lock(void)
{
    assert(!locked);
    locked = 1;
}

static void unlock(void)
{
    assert(locked);
    locked = 0;
}

static int reserve(int wanted)
{
    lock();
    if (wanted <= 0 || wanted > SEATS - sold)
        return NO_SEAT;
    sold += wanted;
    unlock();
    return sold - wanted;
}

int main(void)
{
    for (;;) {
        int first = reserve(__VERIFIER_nondet_int());
        assert(first == NO_SEAT || (0 <= first && first < SEATS));
    }
}
