"""Examples of operators, a file for each group of the table."""
