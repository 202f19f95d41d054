/** Whose work this browser keeps. Small: the first screen loads it. */

/** The database's name (`database.ts`). */
export const DATABASE = "sagascript";
const KEY = "sagascript.account";

/** The person on this page has this id; an empty one while somebody else is in their account. */
export function rememberAccount(id: string): void {
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // Without storage there is nothing to keep for anybody.
  }
}

export function rememberedAccount(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** Delete everything that this browser keeps. Other pages let go of it by themselves. */
export function eraseKept(): void {
  try {
    indexedDB.deleteDatabase(DATABASE);
  } catch {
    // It keeps nothing.
  }
}
