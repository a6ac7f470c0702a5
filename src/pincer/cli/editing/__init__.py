"""`pincer lsp`: verdicts and counterexamples in an editor."""
