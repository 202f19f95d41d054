import { useState } from "react";
import { t } from "../../../platform/messages/quality";
import { toast } from "../../../platform/notices/toast";
import type { MediaFile } from "../../../domain/files/data";
import type { Report } from "../../../domain/captions/quality/types";
import type { Editing } from "../../editor/editing";
import { qualityOf } from "../../editor/Quality";
import { fetchReport } from "./data";

/** Lines that one command changes at most. */
const AT_ONCE = 10_000;

/** All fixes of the report that make no measured number worse, as one step of the history. */
export function useFixAll(file: MediaFile, editing: Editing, report: Report | undefined) {
  const [isBusy, setBusy] = useState(false);
  /** How many lines it would change. */
  const safe = report === undefined ? 0 : report.changes.length + report.removed.length;

  /** Do something with the captions as they are saved, and say why it cannot be done. */
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      if (await editing.store.settled()) await work();
      else toast("warning", t("notSaved"));
    } catch (problem) {
      toast("error", (problem as Error).message);
    }
    setBusy(false);
  };
  const fixAll = () =>
    run(async () => {
      const { changes, removed } = await fetchReport(
        file.slug,
        editing.store.get().captions.language,
      );
      const some = {
        changes: changes.slice(0, AT_ONCE),
        removed: removed.slice(0, AT_ONCE - changes.length),
      };
      const step = editing.change(t("fixAllStep"), some);
      if (step == null) return;
      const quality = qualityOf(editing.store);
      quality.look();
      quality.set({ said: t("fixedAll", { count: changes.length + removed.length }) });
    });
  return { safe, isBusy, run, fixAll };
}
