/* A light with three phases never shows red and green together. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    enum { RED, GREEN, YELLOW } phase = RED;
    int red = 1, green = 0;
    while (__VERIFIER_nondet_bool()) {
        switch (phase) {
        case RED:
            red = 0;
            green = 1;
            phase = GREEN;
            break;
        case GREEN:
            green = 0;
            phase = YELLOW;
            break;
        case YELLOW:
            red = 1;
            phase = RED;
            break;
        }
        if (red && green)
            reach_error();
    }
    return 0;
}
