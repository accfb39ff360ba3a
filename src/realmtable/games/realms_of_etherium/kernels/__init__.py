"""The rules as kernels that Numba compiles: the layout of positions, legal steps, their effects, points, evaluation."""
