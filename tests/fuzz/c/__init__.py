"""Random C programs: our semantics and our verdicts against the system compiler."""
