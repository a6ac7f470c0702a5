"""What the C library, POSIX, the compiler and the verifier's interface do: known functions and bodies in C."""
