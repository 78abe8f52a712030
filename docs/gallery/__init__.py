"""Pages of operators: a grouped table, a page each with an example and its picture, and galleries of functions of arrays.

`pages.pages` returns the pages, and knows nothing of the program that makes a site of them. An example is a function in
`operators/` or `functions/`: its body stands on the page, in the program that `programs.program` writes around it, and
runs as it stands there: for its picture, and in `tests/test_gallery.py`, which compares its results with what the page says.
"""
