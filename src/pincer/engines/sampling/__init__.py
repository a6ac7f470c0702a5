"""Tests with inputs drawn at random: nothing is asked of a solver."""
