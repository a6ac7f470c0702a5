"""From the trees of a program to its control-flow automata."""
