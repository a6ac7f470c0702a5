"""Threads in lockstep: a schedule that stands for all others, and a proof of the program that is left.

Where threads do not depend on each other, any order of their steps will do: one is chosen in which loops go side by
side, so that what relates them is simple. That the order stands for all is checked region by region
(`evidence/thread_proof/regions`); what is left has no threads, and is proved like other programs without.
"""
