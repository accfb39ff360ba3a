"""The rules of array games on NVIDIA GPUs: random games and vector environments, with the CPU's results per seed."""
