"""All schedules of a program once more, by an interpreter that is the checker's own.

States are tuples of numbers; values that depend on inputs are nodes of a script, and states then have conditions on the
inputs. What is meant by every label is said here anew; nothing is shared with the executors of the engines.
"""
