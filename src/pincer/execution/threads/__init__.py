"""Programs with threads: states, the meaning of synchronisation, scheduling points, schedules.

Threads interleave under sequential consistency. A thread runs on until it is about to touch something that another
thread may touch too; there, and only there, another thread may go first.
"""
