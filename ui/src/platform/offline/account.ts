/** Whose work this browser keeps. Pages read this before they load the code that keeps it. */

/** The database's name (`database.ts`). A sign-out deletes it, and other pages let go of it by themselves. */
export const DATABASE = "sagascript";
const KEY = "sagascript.account";
/** Set while the database may hold something. */
const KEEPS = "sagascript.keeps";
/** Set in this tab from the end of a session, which forgets its person, until somebody signs in. */
const ENDED = "sagascript.ended";
/** Set while text of somebody is kept encrypted (`sealing.ts`). It outlives the sign-out of others. */
const SEALED = "sagascript.sealed";

/** The person on this page has this id; an empty one while somebody else is in their account. */
export const rememberAccount = (id: string): void => write(KEY, id);
export const rememberedAccount = (): string => read(KEY);

export const rememberEnded = (id: string): void => write(ENDED, id, () => sessionStorage);
/** Who is here, or whose session ended in this tab. */
export const lastAccount = (): string => rememberedAccount() || read(ENDED, () => sessionStorage);

export const rememberKeeping = (): void => write(KEEPS, "1");
export const forgetKeeping = (): void => write(KEEPS, "");
export const keepsWork = (): boolean => read(KEEPS) !== "" || rememberedAccount() !== "";

export const rememberSealed = (isThere: boolean): void => write(SEALED, isThere ? "1" : "");
export const hasSealed = (): boolean => read(SEALED) !== "";

function write(key: string, value: string, storage = () => localStorage): void {
  try {
    if (value === "") storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    // Without storage there is nothing to keep for anybody.
  }
}

function read(key: string, storage = () => localStorage): string {
  try {
    return storage().getItem(key) ?? "";
  } catch {
    return "";
  }
}
