/* The length in a message is believed. */
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct message {
    unsigned char length;
    unsigned char data[15];
};

int main(void)
{
    struct message message;
    unsigned char buffer[16];
    memset(&message, 0, sizeof message);
    message.length = __VERIFIER_nondet_uchar();
    if (message.length <= sizeof buffer)
        memcpy(buffer, message.data, message.length);
    return 0;
}
