"""What the project needs while it is made, not while it runs."""
