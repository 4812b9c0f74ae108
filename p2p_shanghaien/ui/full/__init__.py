"""The full screen: what any game's table needs around it. Only `app`, `dialogs` and `sheet` import Textual."""
