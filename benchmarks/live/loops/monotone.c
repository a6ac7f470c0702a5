// What is added is never taken away.
// holds: []({sum >= 50} -> []{sum >= 50})

unsigned sum;

int main(void) {
    for (unsigned i = 0; i < 20; i++)
        sum += i;
    return 0;
}
