"""Front ends: one package per input language, each turning text into a program."""
