// A counter passes zero again and again. Changed so that it does not hold.
// violated: []<>{c == 0}

unsigned char c;

int main(void) {
    for (;;)
        c |= 1;
}
