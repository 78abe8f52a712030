"""Debug mode: operators that are computed when they are written. No part of it is loaded by pipelines without it."""
