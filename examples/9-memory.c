/*
 * An error in the use of memory. A message carries its own length, and the
 * length is checked against the wrong size.
 *
 *     pincer check examples/9-memory.c --property memory
 *
 * The property `memory` covers null and wild pointers, accesses out of bounds,
 * use after free, double free and division by zero. Compare with
 * `sizeof message->data` below and the program is safe.
 */
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct message {
    unsigned char length;
    unsigned char data[7];
};

static unsigned sum(const struct message *message)
{
    unsigned char copy[8];
    unsigned total = 0;

    if (message->length > sizeof copy)
        return 0;
    memcpy(copy, message->data, message->length);
    for (unsigned i = 0; i < message->length; i++)
        total += copy[i];
    return total;
}

int main(void)
{
    struct message message;
    memset(&message, 0, sizeof message);
    message.length = __VERIFIER_nondet_uchar();
    return sum(&message) > 1000;
}
