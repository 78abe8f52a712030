"""Columns of a batch become arrays on devices: of which shape, on which device, copied or not."""
