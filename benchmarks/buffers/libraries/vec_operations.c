// vec: N operations at places that the input chooses, beside a count of what must be there.
// @sizes 1 24
// @broken 3
#include "vec/src/vec.c"
#include "symbolic.h"

int main(void)
{
    vec_int_t numbers;
    vec_init(&numbers);
    int expected = 0;
    for (int i = 0; i < N; i++) {
        unsigned char operation = __VERIFIER_nondet_uchar(), place = __VERIFIER_nondet_uchar();
        if (operation % 3 == 0) {
            if (vec_push(&numbers, operation) == 0)
                expected++;
        } else if (operation % 3 == 1) {
#ifdef BROKEN
            if (place <= numbers.length + 1 && vec_insert(&numbers, place, operation) == 0)
#else
            if (place <= numbers.length && vec_insert(&numbers, place, operation) == 0)
#endif
                expected++;
        } else if (place < numbers.length) {
            vec_splice(&numbers, place, 1);
            expected--;
        }
        assert(numbers.length == expected && numbers.capacity >= expected);
    }
    vec_deinit(&numbers);
    return 0;
}
