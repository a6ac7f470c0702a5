"""Propositional projection temporal logic (PPTL): formulas about finite and infinite sequences of states.

- `parser`, `property`: formulas in both spellings, LTL, property blocks; `text` prints formulas.
- `formula`, `operators`: interned formulas; `cubes`: their disjuncts.
- `derivative`: what holds if the interval ends here, and what must hold from the next state; `walk` follows one.
- `moves`, `normal_form`, `lnfg`: normal forms and their labelled graphs.
- `lasso`: exact truth on ultimately periodic intervals.
- `satisfiability`: satisfiable or valid, on finite and infinite intervals, with a model; `obligations` and `iterations`
  are the graphs it searches.
- `limits`: how much work a question may cost, and how it is cancelled.
"""
