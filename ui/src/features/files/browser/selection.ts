/** Files that the person has ticked, for actions on several at once. */
import { createContext, useContext, useMemo, useState } from "react";
import type { MediaFile } from "../../../domain/files/data";

export interface Selection {
  chosen: ReadonlyMap<string, MediaFile>;
  set: (files: readonly MediaFile[], isChosen: boolean) => void;
  clear: () => void;
}

export const SelectionContext = createContext<Selection | null>(null);

/** The selection of the list around a card; null where files cannot be selected. */
export const useSelection = (): Selection | null => useContext(SelectionContext);

export function useNewSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, MediaFile>>(new Map());
  return useMemo(
    () => ({
      chosen,
      set: (files, isChosen) =>
        setChosen((held) => {
          const next = new Map(held);
          for (const file of files) {
            if (isChosen) next.set(file.id, file);
            else next.delete(file.id);
          }
          return next;
        }),
      clear: () => setChosen(new Map()),
    }),
    [chosen],
  );
}
