"""The toy game's words."""

WORDS = {
    "game_toy": "Toy",
    "toy_standing": "{left} rounds left; {first} {score}, {second} {other}",
    "toy_acted": "{who} chose to {action}.",
    "toy_acted_you": "You chose to {action}.",
    "toy_bids": "The bids: {bids}.",
    "toy_drawn": "Drawn: {indices}.",
    "toy_do": "do: {action}",
    "toy_refused": "{text} is not open.",
    "toy_legend": "The higher bid draws.",
    "toy_panel": "The treasure",
    "toy_rules": "Most treasure wins.",
}
