"""Our reading of subtitle files beside that of pycaption and ttconv, rule by rule."""
