"""The plan of the code, measured: the way from a file to an answer, and the figures of the whole."""
