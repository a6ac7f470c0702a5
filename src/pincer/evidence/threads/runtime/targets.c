/* Lines that threads are to be at together: each call is two steps, arriving and leaving. */

static int __pincer_present[PINCER_TARGETS];

void __pincer_target(int place, int line) {
    int all = 1;
    __pincer_gate(PINCER_CALL, "__pincer_target", 0, 1, 0, 0);
    __pincer_enter();
    __pincer_present[place]++;
    for (int i = 0; i < PINCER_TARGETS; i++) all &= __pincer_present[i] >= __pincer_needed[i];
    __pincer_leave();
    if (all) __pincer_reached(PINCER_TARGETS > 1 || __pincer_needed[0] > 1 ? "all targets" : "the target", line);
    __pincer_gate(PINCER_CALL, "__pincer_target", 0, 1, 0, 0);
    __pincer_enter();
    __pincer_present[place]--;
    __pincer_leave();
}
