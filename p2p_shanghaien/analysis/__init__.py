"""The study of games, one or many: values, luck, skill, statistics, tournaments."""
