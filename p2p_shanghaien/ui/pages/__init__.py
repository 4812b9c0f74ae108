"""Files for pictures and pages: their style (`.css`) and their script (`.js`)."""
