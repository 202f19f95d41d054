/** Whose work this browser keeps. */

/** The database's name (`database.ts`). A sign-out deletes it, and other pages let go of it by themselves. */
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
