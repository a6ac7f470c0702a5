"""Evidence about C programs: tests that are compiled and run, test suites, and witnesses."""
