/* Whether there is room is asked after the digit is written. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static unsigned written(unsigned char *text, unsigned room, unsigned number)
{
    unsigned at = room;
    do {
        at--;
        text[at] = '0' + number % 10;
        if (at == 0 && number > 100)
            return room;
        number /= 10;
    } while (number);
    return at;
}

int main(void)
{
    unsigned room = __VERIFIER_nondet_uint();
    if (room == 0 || room > 100000)
        return 0;
    unsigned char *text = malloc(room);
    if (!text)
        return 0;
    unsigned first = written(text, room, __VERIFIER_nondet_uint());
    if (first > room)
        reach_error();
    if (first < room && text[first] < '0')
        reach_error();
    free(text);
    return 0;
}
