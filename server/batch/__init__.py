"""`laios batch`: a file of requests, answered once each, on this machine or on a Ray cluster."""
