import { Button } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/quality";
import { toast } from "../../../platform/notices/toast";
import type { Editing } from "../../editor/editing";
import { BeforeAndAfter } from "../quality/FindingItem";
import { useView } from "../../editor/useView";
import { fixFindings } from "./correct";
import type { LineFinding } from "./spots";
import styles from "./review.module.css";

interface Props {
  slug: string;
  finding: LineFinding;
  /** Open findings of the same rule. */
  count: number;
  editing: Editing;
  readOnly: boolean;
  onFixed: (all: boolean) => void;
}

/** What a line breaks of a rule, and the safe fix of it, if there is one. */
export function Repair({ slug, finding, count, editing, readOnly, onFixed }: Props) {
  const line = useView(editing.store, ({ captions }) =>
    captions.lines.find(({ id }) => id === finding.line),
  );
  const [isBusy, setBusy] = useState(false);
  const repair = async (all: boolean) => {
    setBusy(true);
    try {
      const fixed = await fixFindings(editing, slug, finding, all);
      if (fixed === 0) toast("warning", t("review.fixGone"));
      else if (all) toast("success", t("review.fixed", { count: fixed }));
      if (fixed > 0) onFixed(all && fixed >= count);
    } catch (problem) {
      toast("error", (problem as Error).message);
    }
    setBusy(false);
  };
  return (
    <div className={styles.correction}>
      <p>{finding.sentence}</p>
      {finding.fix !== null && line !== undefined && (
        <>
          <BeforeAndAfter line={line} fix={finding.fix} />
          <p className="quiet">{finding.reason}</p>
          <div className={styles.buttons}>
            <Button
              size="compact-sm"
              disabled={readOnly || isBusy}
              data-testid="review-repair"
              onClick={() => void repair(false)}
            >
              {t("review.fix")}
            </Button>
            {count > 1 && (
              <Button
                size="compact-sm"
                variant="default"
                disabled={readOnly || isBusy}
                data-testid="review-repair-all"
                onClick={() => void repair(true)}
              >
                {t("review.fixAll")}
              </Button>
            )}
          </div>
        </>
      )}
    </div>
  );
}
