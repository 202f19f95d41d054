"""The work folder and stored objects of a job's attempts, and their removal."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import dataclass

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.jobs.attempts.cleanup import remove_later
from api.platform.jobs.queue import Lease
from api.platform.settings import ApiSettings
from cluster.storage.objects import Storage, StorageUnavailable
from pipelines.flows.tasks import job_prefix, storage_prefix

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class AttemptOutput:
    """The output of the attempt with this lease."""

    settings: ApiSettings
    storage: Storage
    lease: Lease

    async def remove_older(self) -> bool:
        """Remove what earlier attempts left: a killed one could not clean up after itself.

        Returns False if storage is unreachable.
        """
        job_id = str(self.lease.job_id)
        return self.lease.fence == 1 or await asyncio.to_thread(self._remove, job_prefix(job_id), job_id)

    async def remove(self) -> bool:
        """Remove this attempt's output. Returns False if storage is unreachable."""
        work = f"{self.lease.job_id}/{self.lease.fence}"
        return await asyncio.to_thread(self._remove, self._prefix, work)

    async def remove_later(self, session: AsyncSession) -> None:
        """Have this attempt's objects removed later."""
        remove_later(session, prefixes=[self._prefix])

    @property
    def _prefix(self) -> str:
        return storage_prefix(str(self.lease.job_id), self.lease.fence)

    def _remove(self, prefix: str, work: str) -> bool:
        shutil.rmtree(self.settings.work_root / work, ignore_errors=True)
        try:
            self.storage.delete_prefix(prefix)
        except StorageUnavailable as error:
            log.warning("storage.unavailable", job_id=str(self.lease.job_id), error=str(error))
            return False
        return True
