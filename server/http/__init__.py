"""What every route stands on: the guard, errors, JSON answers and connections."""
