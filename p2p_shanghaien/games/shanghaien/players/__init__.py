"""Computer players of Shanghaien, and their evaluation."""
