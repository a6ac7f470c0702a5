"""Random programs of directives and macros against the preprocessor of gcc."""
