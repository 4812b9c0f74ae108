"""Computer players of Halunken & Spelunken, and their evaluation."""
