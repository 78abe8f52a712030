"""`python -m jaxdali`: the command line, see `jaxdali._cli`."""

import sys

from jaxdali._cli.main import main

if __name__ == "__main__":
    sys.exit(main())
