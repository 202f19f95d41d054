import { useEffect, useRef } from "react";

export interface KeyActions {
  toggle: () => void;
  jump: (ms: number) => void;
  step: (lines: number) => void;
  playLine: () => void;
  mergeNext: () => void;
  undo: () => void;
  redo: () => void;
  help: () => void;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input, textarea, select, [contenteditable]") !== null;

/** The editor's keys. Single letters act only when no text field has the focus. */
export function useKeys(actions: KeyActions): void {
  const held = useRef(actions);
  useEffect(() => {
    held.current = actions;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = held.current;
      const command = event.ctrlKey || event.metaKey;
      const shiftAlt = event.shiftKey && event.altKey;
      const typing = isTyping(event.target);
      const run = (action: () => void) => {
        event.preventDefault();
        action();
      };
      if (command && event.code === "Space") return run(act.toggle);
      if (shiftAlt && event.code === "Space") return run(act.toggle);
      if (shiftAlt && event.code === "KeyJ") return run(() => act.jump(-1000));
      if (shiftAlt && event.code === "KeyL") return run(() => act.jump(1000));
      if (typing || event.altKey) return;
      if (command && event.code === "KeyZ") return run(event.shiftKey ? act.redo : act.undo);
      if (command && event.code === "KeyY") return run(act.redo);
      if (command) return;
      // A button keeps its own Space and arrows.
      if (
        event.target instanceof HTMLElement &&
        event.target.closest("button, a, video, [role=dialog]")
      )
        return;
      if (event.key === " ") return run(act.toggle);
      if (event.key === "ArrowLeft") return run(() => act.jump(-1000));
      if (event.key === "ArrowRight") return run(() => act.jump(1000));
      if (event.key === "ArrowUp") return run(() => act.step(-1));
      if (event.key === "ArrowDown") return run(() => act.step(1));
      if (event.key === "p" || event.key === "P") return run(act.playLine);
      if (event.key === "m" || event.key === "M") return run(act.mergeNext);
      if (event.key === "?") return run(act.help);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
