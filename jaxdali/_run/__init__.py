"""From slots to arrays: what pipelines and Loaders share."""
