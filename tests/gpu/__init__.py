"""Tests of the kernels for GPUs, on machines without one."""
