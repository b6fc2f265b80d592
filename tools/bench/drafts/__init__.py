"""What choosing among drafts and judging them is worth, on drafts that were executed."""
