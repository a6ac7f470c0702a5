// A system starts, runs and stays up.
// holds: <>[]{state == 2}

int state;

int main(void) {
    int checks = 0;
    state = 1;
    while (checks < 10)
        checks++;
    for (;;)
        state = 2;
}
