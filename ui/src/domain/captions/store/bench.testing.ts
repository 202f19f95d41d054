/** A store over a server in memory, as tests of the store use it. */
import { ApiError } from "../../../platform/api/client";
import { EditorStore } from "./EditorStore";
import { textOf } from "./state";
import { memory, Table } from "./table.testing";

export class Bench {
  table = new Table();
  problems: string[] = [];
  journal = memory();

  open = (): EditorStore =>
    new EditorStore(
      this.table.captions(),
      { load: () => this.table.load(), save: this.table.save },
      this.journal,
      { onProblem: (message) => this.problems.push(message), onSaved: () => undefined },
    );
}

/** What the person sees. */
export const texts = (store: EditorStore): string[] => {
  const { captions, typed } = store.get();
  return captions.lines.map((one) => textOf(one, typed.get(one.id)));
};

export const offline = (): ApiError => new ApiError(0, "offline");
