// Without resetting, the first answer stands for all later ones; with it, a request may be ignored. Changed so that it does not hold.
// violated: []({req} -> <>{resp})

int req, resp;

int main(void) {
    for (;;) {
        req = 1;
        resp = 0;
        req = 0;
        resp = 0;
    }
}
