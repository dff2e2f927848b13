"""`python -m ircdice`."""

from ircdice.cli import main

if __name__ == "__main__":
    main()
