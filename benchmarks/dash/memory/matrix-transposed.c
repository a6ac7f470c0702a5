/* Rows and columns exchanged: the walk leaves the array. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    short matrix[3][5];
    for (int row = 0; row < 5; row++)
        for (int column = 0; column < 3; column++)
            matrix[row][column] = row * column;
    return 0;
}
