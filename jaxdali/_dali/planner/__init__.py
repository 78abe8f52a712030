"""Plans a graph: which sources are asked, what the device computes, and where."""
