"""From the text of a file to the text the parser reads: tokens, directives, macros."""
