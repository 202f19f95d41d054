/** The blocks of lines on the waveform. They lie at shares of its width, so that a zoom moves them without a call. */
import type WaveSurfer from "wavesurfer.js";

export interface Look {
  /** Milliseconds. */
  start: number;
  end: number;
  text: string;
  /** Names of `part`, which the style sheet knows. */
  part: string;
}

interface Block {
  element: HTMLElement;
  label: HTMLElement;
  look: Look;
  seconds: number;
}

export class Blocks {
  readonly sheet = document.createElement("div");
  private readonly all = new Map<string, Block>();

  constructor(wave: WaveSurfer) {
    Object.assign(this.sheet.style, {
      position: "absolute",
      inset: "0",
      zIndex: "5",
      pointerEvents: "none",
    });
    wave.getWrapper().append(this.sheet);
  }

  /** Show a block; `seconds` is the length of the file. Only what differs from before is set. */
  show(id: string, look: Look, seconds: number): void {
    const held = this.all.get(id);
    const block = held ?? this.make(id, look, seconds);
    const { element, label, look: old } = block;
    const isNew = held === undefined;
    if (isNew || old.start !== look.start || old.end !== look.end || block.seconds !== seconds) {
      element.style.left = `${look.start / seconds / 10}%`;
      element.style.right = `${100 - look.end / seconds / 10}%`;
    }
    if (isNew || old.text !== look.text) label.textContent = look.text;
    if (isNew || old.part !== look.part) element.setAttribute("part", look.part);
    block.look = look;
    block.seconds = seconds;
    if (isNew) this.sheet.append(element);
  }

  /** Remove the blocks for which `stays` does not hold. */
  keep(stays: (id: string) => boolean): void {
    for (const [id, { element }] of this.all) {
      if (stays(id)) continue;
      element.remove();
      this.all.delete(id);
    }
  }

  /** The block that the target of an event is in. */
  at(target: EventTarget | null): { id: string; box: DOMRect } | undefined {
    const element = target instanceof Element ? target.closest("[data-cue]") : null;
    const id = element?.getAttribute("data-cue");
    return element == null || id == null ? undefined : { id, box: element.getBoundingClientRect() };
  }

  private make(id: string, look: Look, seconds: number): Block {
    const element = document.createElement("div");
    element.dataset["cue"] = id;
    Object.assign(element.style, { position: "absolute", top: "0", height: "100%" });
    element.style.pointerEvents = "all";
    const label = document.createElement("span");
    label.setAttribute("part", "region-content");
    label.dir = "auto";
    element.append(label);
    const block = { element, label, look, seconds };
    this.all.set(id, block);
    return block;
  }
}
