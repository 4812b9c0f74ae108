"""The toy game's words."""

WORDS = {
    "name": "Toy",
    "stage": "bidding",
    "stages": "Biddings",
    "stage_number": "Bidding {number}",
    "stage_next": "Next bidding",
    "stage_back": "Previous bidding",
    "places": "a bidding with what came of it (3), or a part of that (3.1: the bids)",
    "bad_rounds": '"{value}" is no number of rounds: there are 1 to 9.',
    "bad_opening": 'A round opens with bid, draw or turn, not with "{value}".',
    "not_a_step": 'Not a step of this game: "{part}".',
    "standing": "{left} rounds left; {first} {score}, {second} {other}",
    "acted": "{who} chose to {action}.",
    "acted_you": "You chose to {action}.",
    "bids": "The bids: {bids}.",
    "drawn": "Drawn: {indices}.",
    "do": "do: {action}",
    "refused": "{text} is not open.",
    "legend": "The higher bid draws.",
    "panel": "The treasure",
    "rules": "Most treasure wins.",
}
