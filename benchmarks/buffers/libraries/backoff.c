// backoffAlgorithm: N attempts with random numbers of any value.
// @sizes 1 32
// @broken 3
// @folder backoffAlgorithm/source/include
#include "backoffAlgorithm/source/backoff_algorithm.c"
#include "symbolic.h"

int main(void)
{
    BackoffAlgorithmContext_t context;
    BackoffAlgorithm_InitializeParams(&context, 100, 4000, N);
    for (int i = 0; i < N; i++) {
        uint16_t wait = 0;
        BackoffAlgorithmStatus_t status = BackoffAlgorithm_GetNextBackoff(&context, __VERIFIER_nondet_uint(), &wait);
        assert(status == BackoffAlgorithmSuccess);
#ifdef BROKEN
        assert(wait < 400);
#else
        assert(wait <= 4000);
#endif
    }
    uint16_t wait = 0;
    assert(BackoffAlgorithm_GetNextBackoff(&context, 0, &wait) == BackoffAlgorithmRetriesExhausted);
    return 0;
}
