"""Random C programs, translated to MSVL and run by the interpreter, against the compiled originals."""
