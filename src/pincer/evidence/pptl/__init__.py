"""PPTL for those who check evidence: formulas (`formula`, `reading`) and their truth on words (`truth`).

Nothing here is shared with `pincer.temporal`, which engines use.
"""
