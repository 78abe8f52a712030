"""Bridges to frameworks, under DALI's names."""
