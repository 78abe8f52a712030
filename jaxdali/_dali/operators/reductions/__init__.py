"""Operators that reduce many numbers to one."""
