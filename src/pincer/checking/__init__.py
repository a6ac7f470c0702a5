"""One way from a file to an answer: tasks, loading, deciding, confirming, and the process that does it."""
