"""Counterexamples of MSVL programs against PPTL properties: as data, run again and judged by themselves.

`counterexample` is the data. `interpreter` is a plain reading of MSVL on the recorded inputs (`memory`, `machine`,
`expressions`, `arithmetic`, `ordering`, `library`, `remainders`), `states` the word it leads to; `evidence.pptl` is a
small evaluator of PPTL; `replay` compares and judges. Nothing is shared with the execution and the logic that found the
counterexample.

Proofs and runs without an end are about guarded commands with the same runs: `forms` are values that stand for many
numbers, with them the interpreter follows a program for all values at once (`controls`, `renewal`), which gives the
program of `guarded`. `proofs` are checked on it, `rounds` are followed in the MSVL program itself.
"""
