"""What every route rests on: the guard, errors, JSON answers and connections."""
