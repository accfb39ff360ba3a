"""The battle calculator: chances of a fight between one character and the monsters on its sheet.

It uses the pieces and the resolution of `combat`, and nothing of a game that is being played.
"""
