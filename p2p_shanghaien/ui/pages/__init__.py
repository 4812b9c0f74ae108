"""Files that pictures and pages are made with: how they look (`.css`) and what a page does (`.js`)."""
