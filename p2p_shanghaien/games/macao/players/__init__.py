"""Computer players of Shadows of Macao."""
