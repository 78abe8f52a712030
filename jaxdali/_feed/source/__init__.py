"""The data that users hand in, and how samples are taken from them."""
