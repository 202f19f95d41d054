"""Python runs this first in every process of the installation under test: its folder is on `PYTHONPATH`.

It shortens leases and seeds faults without a switch in the product.
"""

from __future__ import annotations

import os

if "DURABILITY_LEASE_S" in os.environ:
    from benchmarks.soak.durability.patching import patch_imports
    from benchmarks.soak.durability.seeded_faults import patches

    patch_imports(patches(float(os.environ["DURABILITY_LEASE_S"]), os.environ["DURABILITY_SEEDED_FAULTS"]))
