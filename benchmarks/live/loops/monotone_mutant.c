// What is added is never taken away. Changed so that it does not hold.
// violated: []({sum >= 50} -> []{sum >= 50})

unsigned sum;

int main(void) {
    for (unsigned i = 0; i < 20; i++)
        sum += i, sum %= 60;
    return 0;
}
