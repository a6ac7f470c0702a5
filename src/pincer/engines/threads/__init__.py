"""Programs with threads: which searches run beside each other, and what becomes of their answers."""
