"""Proofs by a schedule that stands for all: regions, which threads move in each, and a proof of their product.

Only some threads move in each region. That nothing is lost by that is shown for every region by itself (`frozen`): what
the others can do meanwhile is independent of what those do next, and is no error. What is left is a program without
threads (`product`), and its proof is one about such programs.
"""
