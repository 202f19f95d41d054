"""Python runs this first in every process of the installation under test: the folder stands on its `PYTHONPATH`.

So leases can be shortened and faults planted without a switch in the product.
"""

from __future__ import annotations

import os

if "LOST_LEASE_S" in os.environ:
    from soak.durability.patching import patch_imports
    from soak.durability.seeded_faults import patches

    patch_imports(patches(float(os.environ["LOST_LEASE_S"]), os.environ["LOST_PLANTS"]))
