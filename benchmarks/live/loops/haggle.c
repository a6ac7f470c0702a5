// Buyer and seller come closer only if somebody gives in.
// expect: termination violated
extern int __VERIFIER_nondet_int(void);

int asked = 100, offered = 10;

int main(void) {
    while (offered < asked) {
        int bid = __VERIFIER_nondet_int();
        if (bid < offered || bid > asked)
            return 1;
        offered = bid;
        int price = __VERIFIER_nondet_int();
        if (price < offered || price > asked)
            return 1;
        asked = price;
    }
    return 0;
}
