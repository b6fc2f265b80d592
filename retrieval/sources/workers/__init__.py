"""What runs in a process of its own: it tells what it finds as lines of JSON on a pipe."""
