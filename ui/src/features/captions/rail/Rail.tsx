import { useLocalStorage } from "@mantine/hooks";
import { useEffect } from "react";
import { t } from "../../../platform/messages/editor";
import { t as q } from "../../../platform/messages/quality";
import { useEditor } from "../../editor/context";
import type { PanelId, PlaceId } from "../../editor/panels/panel";
import { usePanel } from "../../editor/panels/usePanel";
import { usePanels } from "../../editor/panels/usePanels";
import { useView } from "../../editor/useView";
import { PANELS, panelsOf } from "../panels/registry";
import { QualityCount } from "../quality/QualityCount";
import { useFindings, useJudging, useReport } from "../quality/useQuality";
import { PLACES } from "./places";
import styles from "./rail.module.css";

interface Props {
  /** Undefined where this cannot be translated. */
  onTranslate: (() => void) | undefined;
}

/** Everything that can be done with captions, by name, always at the same side. Each place opens where it was left. */
export function Rail({ onTranslate }: Props) {
  const { file, editing } = useEditor();
  const { findings, said } = useFindings(editing);
  const { data: report } = useReport(file, editing);
  // The rows show what is found too.
  useJudging(file, editing, report);
  const count = findings.length;
  const isQuiet = findings.every(({ severity }) => severity === "info");
  const { current, open, close } = usePanels();
  const text = usePanel();
  const isLive = useView(editing.store, (view) => view.captions.is_live);
  const [left, leave] = useLocalStorage<Partial<Record<PlaceId, PanelId>>>({
    key: "sagascript.rail",
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const shown = PANELS.find(({ id }) => id === current?.id);
  useEffect(() => {
    if (shown !== undefined) leave((held) => ({ ...held, [shown.place]: shown.id }));
  }, [shown, leave]);
  const here = text.isOpen ? "text" : shown?.place;

  const go = (place: PlaceId) => {
    if (place === "text") text.setOpen(!text.isOpen);
    else if (place === "translate") onTranslate?.();
    else if (place === here) close();
    else {
      const tools = panelsOf(place);
      // What an older version stored may be gone.
      const tool = tools.find(({ id }) => id === left[place]) ?? tools[0];
      if (tool !== undefined) open(tool.id);
    }
  };
  const isOff = (place: PlaceId): boolean =>
    (place === "speakers" && isLive) || (place === "translate" && onTranslate === undefined);
  return (
    <nav className={styles.rail} aria-label={t("panels.tools")} data-testid="rail">
      {PLACES.map(({ id, label, icon: Icon }) => (
        <button
          key={id}
          type="button"
          className={styles.place}
          data-testid={`rail-${id}`}
          disabled={isOff(id)}
          aria-label={id === "check" ? `${label}. ${q("openWith", { count })}` : undefined}
          {...(id === "translate"
            ? { "aria-haspopup": "dialog" as const }
            : { "aria-expanded": here === id })}
          onClick={() => go(id)}
        >
          <span className={styles.icon}>
            <Icon size={20} aria-hidden="true" />
            {id === "check" && <QualityCount count={count} isQuiet={isQuiet} />}
          </span>
          {label}
        </button>
      ))}
      <span role="status" className="visually-hidden" data-testid="quality-said">
        {said}
      </span>
    </nav>
  );
}
