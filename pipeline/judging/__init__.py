"""`POST /judge`: a request and code → whether it is right, and what is known of it."""
