// list: N operations at both ends, beside a count of what must be there.
// @sizes 1 24
// @broken 2
#include "list/src/list_node.c"
#include "list/src/list_iterator.c"
#include "list/src/list.c"
#include "symbolic.h"

int main(void)
{
    list_t *list = list_new();
    if (!list)
        return 0;
    unsigned expected = 0;
    for (int i = 0; i < N; i++) {
        unsigned char operation = __VERIFIER_nondet_uchar();
        if (operation % 2) {
            list_node_t *node = list_node_new(list);
            if (node && (operation & 2 ? list_lpush(list, node) : list_rpush(list, node)))
                expected++;
        } else {
            list_node_t *node = operation & 2 ? list_lpop(list) : list_rpop(list);
#ifdef BROKEN
            assert(node->val == list);
            expected--;
#else
            assert((node != NULL) == (expected > 0));
            if (node)
                expected--;
#endif
            free(node);
        }
        assert(list->len == expected);
    }
    list_destroy(list);
    return 0;
}
