"""Workers on other machines: couriers are workers of the pool that have the actors of a Ray cluster make their chunks."""
