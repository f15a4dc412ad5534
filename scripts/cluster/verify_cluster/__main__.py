"""`python -m verify_cluster` is `verify-cluster`."""

import sys

from .cli import main

sys.exit(main())
