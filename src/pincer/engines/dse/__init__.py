"""DSE-MC: model checking of MSVL programs against PPTL properties by dynamic symbolic execution.

The symbolic execution tree of the program and the normal form of the negated property are multiplied; what is left of
the product is a counterexample. `verify.check` is the engine.
"""
