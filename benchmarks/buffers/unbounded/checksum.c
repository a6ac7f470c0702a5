/* The checksum of a packet: words of two bytes, and a byte that may be left over. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

/* Bytes of any length, with any contents. */
static unsigned char *received(unsigned n)
{
    unsigned char *bytes = malloc(n);
    if (!bytes)
        abort();
    for (unsigned i = 0; i < n; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    return bytes;
}

static unsigned checksum(const unsigned char *packet, unsigned n)
{
    unsigned sum = 0;
    while (n > 1) {
        sum += (unsigned)packet[0] << 8 | packet[1];
        packet += 2;
        n -= 2;
    }
    if (n == 1)
        sum += (unsigned)packet[0] << 8;
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return sum;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 60000)
        return 0;
    unsigned char *packet = received(n);
    if (checksum(packet, n) > 0xffff)
        reach_error();
    free(packet);
    return 0;
}
