import { CloseButton, Tabs, Title } from "@mantine/core";
import { Suspense, useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { t } from "../../../platform/messages/editor";
import { EmptyState } from "../../../platform/page/EmptyState";
import { PaneBoundary } from "../../../platform/failure/PaneBoundary";
import type { MediaFile } from "../../../domain/files/data";
import type { Editing } from "../../editor/editing";
import type { PanelId } from "../../editor/panels/panel";
import { PANEL_VIEWS, PANELS, panelsOf, type Panel } from "./registry";
import { Separator } from "./Separator";
import { useFocusGuard } from "./useFocusGuard";
import { NARROWEST, usePanelWidth, WIDEST } from "./usePanelWidth";
import { usePanels, type Panels } from "../../editor/panels/usePanels";
import styles from "./panels.module.css";

/** Pixels that an arrow key moves the border of a panel. */
const STEP = 16;

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
        <PanelFrame panel={panel} panels={panels} {...rest} />
      )}
    </div>
  );
}

type FrameProps = Omit<Props, "children"> & { panel: Panel; panels: Panels };

function PanelFrame({ panel: { id, place, label, icon: Icon }, panels, ...rest }: FrameProps) {
  const frame = useRef<HTMLElement>(null);
  const { params = {}, openings = 0 } = panels.current ?? {};
  const View = PANEL_VIEWS.get(id);
  const [width, setWidth] = usePanelWidth(place);
  const tabs = panelsOf(place);
  useFocusGuard(frame);

  // A tab that is chosen keeps the focus.
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
  const content = (
    <PaneBoundary key={id} name={label}>
      <Suspense fallback={<EmptyState />}>
        {View !== undefined && (
          <View {...rest} params={params} openings={openings} close={panels.close} />
        )}
      </Suspense>
    </PaneBoundary>
  );
  return (
    <aside
      ref={frame}
      className={styles.panel}
      style={{ "--width": `${width}px` } as React.CSSProperties}
      aria-label={label}
      data-panel={id}
      data-testid={`panel-${id}`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <Separator
        label={t("places.resize")}
        className={styles.border}
        at={width}
        least={NARROWEST}
        most={WIDEST}
        onDrag={(clientX) =>
          setWidth((frame.current?.getBoundingClientRect().right ?? 0) - clientX)
        }
        onStep={(by) => setWidth(width - by * STEP)}
      />
      <header className={styles.head}>
        <Title order={2} size="h5">
          <Icon size={17} aria-hidden="true" />
          {label}
        </Title>
        <CloseButton aria-label={t("panels.close", { panel: label })} onClick={panels.close} />
      </header>
      {tabs.length === 1 ? (
        <div className={styles.body}>{content}</div>
      ) : (
        <Tabs
          value={id}
          keepMounted={false}
          className={styles.tabbed}
          onChange={(next) => {
            if (next !== null) panels.open(next as PanelId);
          }}
        >
          <Tabs.List className={styles.tabs}>
            {tabs.map((tab) => (
              <Tabs.Tab key={tab.id} value={tab.id} data-testid={`tool-${tab.id}`}>
                {tab.short ?? tab.label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tabs.map((tab) => (
            <Tabs.Panel key={tab.id} value={tab.id} className={styles.body}>
              {tab.id === id && content}
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
    </aside>
  );
}
