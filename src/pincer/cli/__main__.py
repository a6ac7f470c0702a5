"""`python -m pincer.cli` is the `pincer` command."""

import sys

from pincer.cli.main import main

sys.exit(main())
