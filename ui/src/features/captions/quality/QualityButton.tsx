import { ActionIcon, Tooltip } from "@mantine/core";
import { t } from "../../../platform/messages/quality";
import { IconShieldCheck } from "../../../platform/theme/icons";
import type { MediaFile } from "../../../domain/files/data";
import type { Editing } from "../../editor/editing";
import { WithKey } from "../../editor/keys/CommandKey";
import { usePanels } from "../../editor/panels/usePanels";
import { useFindings, useJudging, useReport } from "./useQuality";
import styles from "./quality.module.css";

/** Opens the quality panel, with the number of its findings: quiet where all of them are hints. It keeps the findings up to date for the rows. */
export function QualityButton({ file, editing }: { file: MediaFile; editing: Editing }) {
  const { current, toggle } = usePanels();
  const isOpen = current?.id === "quality";
  const { findings, said } = useFindings(editing);
  const { data: report } = useReport(file, editing);
  useJudging(file, editing, report);
  const count = findings.length;
  const isQuiet = findings.every(({ severity }) => severity === "info");
  const label = t("openWith", { count });
  return (
    <>
      <Tooltip label={<WithKey command="panel.quality">{label}</WithKey>}>
        <ActionIcon
          size="lg"
          aria-label={label}
          aria-expanded={isOpen}
          data-testid="open-quality"
          variant={isOpen ? "light" : "subtle"}
          className={styles.open}
          onClick={() => toggle("quality")}
        >
          <IconShieldCheck size={19} />
          {count > 0 && (
            <span
              className={`${styles.count} tabular`}
              aria-hidden="true"
              data-testid="quality-count"
              data-quiet={isQuiet || undefined}
            >
              {count > 99 ? "99+" : count}
            </span>
          )}
        </ActionIcon>
      </Tooltip>
      <span role="status" className="visually-hidden" data-testid="quality-said">
        {said}
      </span>
    </>
  );
}
