"""The full screen: whatever any game needs around its board. Apps, `dialogs`, `canvas_widget` alone import Textual."""
