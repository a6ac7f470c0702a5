"""The grammar of C with its GNU extensions, and its trees."""
