"""C: from source text to control-flow automata."""
