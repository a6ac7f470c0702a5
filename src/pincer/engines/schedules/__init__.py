"""Searches over schedules: all of them, few interruptions first, random ones; and what such searches look for."""
