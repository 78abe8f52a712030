"""Where data begin: external sources and readers."""
