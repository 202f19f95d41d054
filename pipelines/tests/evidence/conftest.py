from __future__ import annotations

from serve.testing.speech import models_root

__all__ = ["models_root"]
