PYTHON ?= python
CASES ?= 2000
SEED ?= 0
JOBS ?= 2
FUZZ ?=
BENCH ?=
SOURCES ?=
SWEEP ?=
LIBRARIES ?=
FOLDER ?=

.PHONY: test lint types docs walk figures fuzz fuzz-c fuzz-linked fuzz-library fuzz-uninitialised fuzz-sanitized sweep libraries fuzz-merged fuzz-merged-check fuzz-preprocessor fuzz-temporal fuzz-live fuzz-termination fuzz-turns fuzz-recursion fuzz-formulas fuzz-forged fuzz-forged-live fuzz-threads fuzz-explored fuzz-endings fuzz-thread-formulas fuzz-outlines fuzz-regions fuzz-msvl fuzz-translations speed-temporal speed-live growth-live bench screenshots

test:
	$(PYTHON) -m pytest

lint:
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	lint-imports

types:
	$(PYTHON) -m mypy

fuzz:
	$(PYTHON) -m tests.fuzz.run --cases $(CASES) --seed $(SEED) --jobs $(JOBS) $(FUZZ)

bench:
	$(PYTHON) -m pincer.cli bench ase $(BENCH)

fuzz-c:
	$(PYTHON) -m tests.fuzz.c.run_c --cases $(CASES) --seed $(SEED) --jobs $(JOBS) $(FUZZ)

# C programs of several files against the linker of gcc.
fuzz-linked:
	$(PYTHON) -m tests.fuzz.c.linked --cases $(CASES) --seed $(SEED)

# Random calls of library functions: our bodies against the library of the machine.
fuzz-library:
	$(PYTHON) -m tests.fuzz.c.library_calls --cases $(CASES) --seed $(SEED)

# Functions in which some things have no value: our verdicts against those of memcheck.
fuzz-uninitialised:
	$(PYTHON) -m tests.fuzz.c.uninitialised --cases $(CASES) --seed $(SEED)

# Merged execution on random programs against all runs of compiled code.
fuzz-merged:
	$(PYTHON) -m tests.fuzz.c.merged_paths --cases $(CASES) --seed $(SEED)

# The checker of merged executions on random programs against all runs of compiled code.
fuzz-merged-check:
	$(PYTHON) -m tests.fuzz.c.merged_check --cases $(CASES) --seed $(SEED)

# Overflow and leaks of random programs against UBSan and LeakSanitizer.
fuzz-sanitized:
	$(PYTHON) -m tests.fuzz.c.sanitized overflow --cases $(CASES) --seed $(SEED)
	$(PYTHON) -m tests.fuzz.c.sanitized leaks --cases $(CASES) --seed $(SEED)

# What the front end leaves out of public C files: make sweep SOURCES="FOLDER FOLDER", SWEEP=--list for each file.
sweep:
	$(PYTHON) -m tests.fuzz.c.public_sources --jobs $(JOBS) $(SWEEP) $(SOURCES)

# The unit tests of public libraries that lie below a folder, with the verdicts expected: make libraries SOURCES=FOLDER,
# LIBRARIES="--only TEXT" for some of them.
libraries:
	$(PYTHON) -m tests.fuzz.c.public_libraries --sources $(SOURCES) $(LIBRARIES)

# Random macros and conditions: the tokens of our preprocessor against those of gcc.
fuzz-preprocessor:
	$(PYTHON) -m tests.fuzz.preprocessor.run --cases $(CASES) --seed $(SEED)

# Random PPTL and LTL formulas against direct semantics on words and lassos.
fuzz-temporal:
	$(PYTHON) -m tests.fuzz.temporal.run --cases $(CASES) --seed $(SEED)

# Temporal properties of random finite programs against an explicit tableau and the definition of PPTL.
fuzz-live:
	$(PYTHON) -m tests.fuzz.live.run_live --cases $(CASES) --seed $(SEED)

# Random small C loops, against a search through all their states.
fuzz-termination:
	$(PYTHON) -m tests.fuzz.termination.run_termination --cases $(CASES) --seed $(SEED)

# Loops in which numbers get smaller by turns, against the same search.
fuzz-turns:
	$(PYTHON) -m tests.fuzz.termination.run_termination --turns --cases $(CASES) --seed $(SEED)

# Random recursive functions, against brute force.
fuzz-recursion:
	$(PYTHON) -m tests.fuzz.termination.run_recursion --cases $(CASES) --seed $(SEED)

# Forged proofs of formulas about small C loops that violate them, and forged runs of loops that have none: none may be
# accepted.
fuzz-forged:
	$(PYTHON) -m tests.fuzz.termination.run_termination --mutants --cases $(CASES) --seed $(SEED)
	$(PYTHON) -m tests.fuzz.termination.run_termination --runs --cases $(CASES) --seed $(SEED)
	$(PYTHON) -m tests.fuzz.termination.run_termination --visits --cases $(CASES) --seed $(SEED)

# Forged proofs of temporal properties of guarded commands, against an explicit search.
fuzz-forged-live:
	$(PYTHON) -m tests.fuzz.live.run_forged --cases $(CASES) --seed $(SEED)

# Random LTL formulas about random small C loops against a tableau over all their states.
fuzz-formulas:
	$(PYTHON) -m tests.fuzz.termination.run_termination --formulas --cases $(CASES) --seed $(SEED)

# Small programs with threads against a brute-force interpreter, with partial-order reduction and without.
fuzz-threads:
	$(PYTHON) -m tests.fuzz.threads.run_threads --cases $(CASES) --seed $(SEED) --jobs $(JOBS) $(FUZZ)

# Random threaded programs through the explorer of the checker, against brute force.
fuzz-explored:
	$(PYTHON) -m tests.fuzz.threads.run_explored --cases $(CASES) --seed $(SEED)

# Whether random threaded programs end, under each kind of fairness, against brute force.
fuzz-endings:
	$(PYTHON) -m tests.fuzz.threads.run_endings --cases $(CASES) --seed $(SEED)

# Random formulas about random threaded programs, under each kind of fairness, against a tableau.
fuzz-thread-formulas:
	$(PYTHON) -m tests.fuzz.threads.run_formulas --cases $(CASES) --seed $(SEED)

# Outlines of random threaded programs, and forged ones, against brute force.
fuzz-outlines:
	$(PYTHON) -m tests.fuzz.threads.run_outlines --cases $(CASES) --seed $(SEED)

# Proofs by regions of random threaded programs, changed ones and careless ones, against brute force.
fuzz-regions:
	$(PYTHON) -m tests.fuzz.threads.run_regions --cases $(CASES) --seed $(SEED)

# Generated C programs through gcc, and translated to MSVL.
fuzz-msvl:
	$(PYTHON) -m tests.fuzz.msvl.run --cases $(CASES) --seed $(SEED)

# MSVL programs beside their translations to guarded commands: runs in both directions, and verdicts.
fuzz-translations:
	$(PYTHON) -m tests.fuzz.msvl.translations --cases $(CASES) --seed $(SEED)

# Many formulas, a long path and a long run of MSVL programs, with their times.
speed-temporal:
	$(PYTHON) -m tests.fuzz.temporal.speed

# What safety properties cost that are written as temporal formulas, beside the properties themselves.
speed-live:
	$(PYTHON) -m tests.fuzz.live.speed

# Processor time of the liveness of tickets against the number of processes, as a picture.
growth-live:
	$(PYTHON) -m tests.fuzz.live.growth

# The pictures of the documentation, from Chromium; with FOLDER=... all pages, wide and narrow, light and dark.
screenshots:
	$(PYTHON) -m tests.browser.screenshots $(FOLDER)

# The documentation as a site; a broken link is an error.
docs:
	$(PYTHON) -m sphinx -q -W -b html docs build/site

# The way of a file from `pincer check` to its printed verdict, language by language, and the figures of the code.
walk:
	$(PYTHON) -m tests.house.walk

figures:
	$(PYTHON) -m tests.house.figures
