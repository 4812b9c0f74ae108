"""Computer players of Shanghaien, and what they reckon with."""
