"""Modules through which other tools run Pincer; nothing of Pincer imports them."""
