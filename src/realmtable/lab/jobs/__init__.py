"""Runs many tasks on one machine or on a cluster, behind one small interface."""
