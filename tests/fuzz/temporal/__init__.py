"""Random PPTL and LTL formulas against evaluators that share no code with `pincer.temporal`."""
