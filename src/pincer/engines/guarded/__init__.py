"""Engines for guarded commands over unbounded integers: ASE, its baseline UR, and what both stand on."""
