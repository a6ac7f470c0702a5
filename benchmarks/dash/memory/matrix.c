/* Rows and columns in the right order. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    short matrix[3][5];
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 5; column++)
            matrix[row][column] = row * column;
    int row = __VERIFIER_nondet_int();
    if (row < 0 || row > 2)
        return 0;
    return matrix[row][4];
}
