"""Facts about programs from their control flow alone."""
