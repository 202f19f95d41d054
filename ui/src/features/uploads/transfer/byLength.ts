import { mediaDuration } from "../../ledger/mediaDuration";

/** A recording that this browser has not measured by then goes up; the server measures it too. */
const WITHIN_MS = 3_000;

/** The files that are not longer than a recording may be, or whose length the browser cannot tell, and the others. */
export async function byLength(
  files: readonly File[],
  mostMs: number,
  lengthOf = mediaDuration,
): Promise<[File[], File[]]> {
  const lengths = await Promise.all(files.map((file) => lengthOf(file, WITHIN_MS)));
  const isLong = (_: File, index: number) => (lengths[index] ?? 0) * 1000 > mostMs;
  return [files.filter((file, index) => !isLong(file, index)), files.filter(isLong)];
}
