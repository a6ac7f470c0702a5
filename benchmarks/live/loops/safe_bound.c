// A counter never passes its bound.
// holds: []{k <= 10}

int k;

int main(void) {
    for (;;) {
        if (k < 10)
            k++;
        else
            k = 0;
    }
}
