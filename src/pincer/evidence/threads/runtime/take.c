static unsigned long long __pincer_thread_take(const char *source) {
    for (int i = 0; __pincer_thread_inputs[i].source; i++) {
        struct __pincer_thread_input *input = &__pincer_thread_inputs[i];
        if (input->thread != __pincer_self) continue;
        for (int j = 0; source[j] || input->source[j]; j++)
            if (source[j] != input->source[j]) {
                __pincer_say("\npincer: diverged: a thread calls ");
                __pincer_say(source);
                __pincer_say(", the test recorded ");
                __pincer_say(input->source);
                __pincer_say("\n");
                __pincer_stop(99);
            }
        input->thread = -2;
        return input->value;
    }
    return 0;
}

/* Uninitialised variables: the values of a declaration in order; the last one repeats. */
void __pincer_undefined(int group, void *target, unsigned long size) {
    for (int i = 0; __pincer_fillings[i].group >= 0; i++) {
        struct __pincer_filling *filling = &__pincer_fillings[i];
        if (filling->group != group || filling->thread != __pincer_self) continue;
        __pincer_store(target, size, filling->value);
        if (!filling->last) filling->thread = -2;
        return;
    }
}
