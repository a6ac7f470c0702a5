"""Random programs against independent oracles."""
