// What is put into a queue of counted places is taken out again. Changed so that it does not hold.
// violated: []({full} -> <>{!full})

int full, count;

int main(void) {
    for (;;) {
        if (count < 4 && !full)
            count++;
        if (count == 4)
            full = 1;
        while (full && count > 1)
            count--;
        if (count == 0)
            full = 0;
    }
}
