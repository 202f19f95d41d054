import { CloseButton, Title } from "@mantine/core";
import { Suspense, useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { t } from "../../../platform/messages/editor";
import { EmptyState } from "../../../platform/page/EmptyState";
import { PaneBoundary } from "../../../platform/failure/PaneBoundary";
import type { MediaFile } from "../../../domain/files/data";
import type { Editing } from "../../editor/editing";
import { PANEL_VIEWS, PANELS, type Panel } from "./registry";
import { useFocusGuard } from "./useFocusGuard";
import { usePanels, type Panels } from "../../editor/panels/usePanels";
import styles from "./panels.module.css";

interface Props {
  file: MediaFile;
  editing: Editing;
  readOnly: boolean;
  /** The lines, which stay beside the panel where there is room. */
  children: ReactNode;
}

/** The lines, and beside them the open panel. In a narrow pane the panel covers the lines. */
export function PanelPane({ children, ...rest }: Props) {
  const panels = usePanels();
  const panel = PANELS.find(({ id }) => id === panels.current?.id);
  return (
    <div className={styles.pane}>
      <div className={styles.lines}>{children}</div>
      {panel !== undefined && panels.current !== null && (
        <PanelFrame key={panel.id} panel={panel} panels={panels} {...rest} />
      )}
    </div>
  );
}

type FrameProps = Omit<Props, "children"> & { panel: Panel; panels: Panels };

function PanelFrame({ panel: { id, label, icon: Icon }, panels, ...rest }: FrameProps) {
  const frame = useRef<HTMLElement>(null);
  const { params = {}, openings = 0 } = panels.current ?? {};
  const View = PANEL_VIEWS.get(id);
  useFocusGuard(frame);

  useEffect(() => {
    if (openings > 0 && frame.current?.contains(document.activeElement) === false)
      frame.current.focus();
  }, [openings]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target } = event;
    const isOwn = target instanceof Node && event.currentTarget.contains(target);
    if (event.key !== "Escape" || event.defaultPrevented || !isOwn) return;
    // An open list takes the key for itself.
    if (target instanceof Element && target.getAttribute("aria-expanded") === "true") return;
    event.stopPropagation();
    panels.close();
  };
  return (
    <aside
      ref={frame}
      className={styles.panel}
      aria-label={label}
      data-panel={id}
      data-testid={`panel-${id}`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header className={styles.head}>
        <Title order={2} size="h5">
          <Icon size={17} aria-hidden="true" />
          {label}
        </Title>
        <CloseButton aria-label={t("panels.close", { panel: label })} onClick={panels.close} />
      </header>
      <div className={styles.body}>
        <PaneBoundary name={label}>
          <Suspense fallback={<EmptyState />}>
            {View !== undefined && (
              <View {...rest} params={params} openings={openings} close={panels.close} />
            )}
          </Suspense>
        </PaneBoundary>
      </div>
    </aside>
  );
}
