// What is put into a queue of counted places is taken out again.
// holds: []({full} -> <>{!full})

int full, count;

int main(void) {
    for (;;) {
        if (count < 4 && !full)
            count++;
        if (count == 4)
            full = 1;
        while (full && count > 0)
            count--;
        if (count == 0)
            full = 0;
    }
}
