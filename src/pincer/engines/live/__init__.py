"""Temporal properties of guarded programs: runs that never end, beside those that do.

`question` is what is asked, with the automaton of the negated formula; `states` the graph of a finite program,
`abstract` that of an abstraction; `components` peels the cyclic parts of either, with `ranking` where they come from an
abstraction; `lasso` makes runs of what cannot be peeled; `certificates` writes down why nothing is left.
"""
