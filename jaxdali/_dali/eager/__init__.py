"""Debug mode: operators are computed as soon as they are written. Other pipelines load no part of it."""
