/* A missing break: from red the light falls through to what follows yellow. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    enum { RED, GREEN, YELLOW } phase = GREEN;
    int red = 0, green = 1;
    while (__VERIFIER_nondet_bool()) {
        switch (phase) {
        case GREEN:
            green = 0;
            phase = YELLOW;
            break;
        case RED:
            red = 0;
            green = 1;
            phase = GREEN;
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
