"""Python runs this first in every process of the installation under test: the folder stands on its `PYTHONPATH`.

So leases can be shortened and faults planted without a switch in the product.
"""

from __future__ import annotations

import os

if "LOST_LEASE_S" in os.environ:
    from benchmarks.lost.patching import patch_imports
    from benchmarks.lost.planted import patches

    patch_imports(patches(float(os.environ["LOST_LEASE_S"]), os.environ["LOST_PLANTS"]))
