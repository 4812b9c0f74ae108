"""An analysed game on screens and pages."""
