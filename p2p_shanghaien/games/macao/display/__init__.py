"""The table of Shadows of Macao, as lines, in sentences, at full screen, and as a picture."""
