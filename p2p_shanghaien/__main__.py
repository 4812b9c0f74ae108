"""`python -m p2p_shanghaien` is `shanghaien`."""

from p2p_shanghaien.cli.launcher import main

if __name__ == "__main__":
    main()
