/* Does it end? Not for every n: i has eight bits, and never gets beyond 255.
   With `unsigned i` it does. Ask with --property termination. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (unsigned char i = 0; i < n; i++)
        ;
    return 0;
}
