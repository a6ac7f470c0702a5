// A counter passes zero again and again.
// holds: []<>{c == 0}

unsigned char c;

int main(void) {
    for (;;)
        c++;
}
