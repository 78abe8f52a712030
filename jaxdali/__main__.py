"""`python -m jaxdali`: the command line, see `jaxdali.cli`."""

import sys

from jaxdali.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
