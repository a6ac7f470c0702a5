// A counter never passes its bound. Changed so that it does not hold.
// violated: []{k <= 10}

int k;

int main(void) {
    for (;;) {
        if (k <= 10)
            k++;
        else
            k = 0;
    }
}
