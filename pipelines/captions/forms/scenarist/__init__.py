"""Scenarist closed captions (SCC), and the byte pairs of CEA-608 line 21 that they hold."""
