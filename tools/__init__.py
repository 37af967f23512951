"""What makes the site and keeps runs: for who works in this repository, so not in the wheel."""
