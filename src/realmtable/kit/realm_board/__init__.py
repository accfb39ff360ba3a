"""The board that the five Realm games share: its geometry, arrays for kernels, notation, words and pictures."""
