"""No samples of Parquet: pyarrow, which writes the files, starts a thread beside which later tests would not fork workers.

tests/source/test_parquet_rows.py and tests/loader/test_parquet.py have their own.
"""

SAMPLES = {}
