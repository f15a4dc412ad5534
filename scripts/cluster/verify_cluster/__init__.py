"""Explores all schedules of a C program on the machines of a Dask cluster."""

__version__ = "0.1.0"
