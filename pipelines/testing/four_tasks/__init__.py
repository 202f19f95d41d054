"""Files that go through all four model tasks at once, on a real cluster, and what must come out."""
