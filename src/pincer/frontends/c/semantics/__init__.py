"""What a program says: types, names, constants, and the mistakes a compiler refuses."""
