"""Fits the networks by which `master` judges positions between rounds: `python -m fitting`."""
