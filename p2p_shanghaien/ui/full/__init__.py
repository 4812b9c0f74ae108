"""The full screen: what any game's table needs around it. Only the apps, `dialogs` and `sheet` import Textual."""
