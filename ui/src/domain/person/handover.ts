/**
 * What a browser keeps of somebody's work, when their session ends otherwise than by a sign-out, and when somebody signs
 * in. The code for it loads only where something is kept.
 */
import {
  hasSealed,
  keepsWork,
  rememberAccount,
  rememberedAccount,
  rememberEnded,
} from "../../platform/offline/account";

const code = () => import("../offline/sealing");

let sealing: Promise<void> = Promise.resolve();

/** Nobody is signed in: what is kept of people becomes unreadable, or goes. */
export function sealAtSessionEnd(): Promise<void> {
  return seal(undefined);
}

/** Somebody has signed in: they get back what is theirs, and nothing of others stays readable. */
export async function handOver(account: string): Promise<void> {
  const former = rememberedAccount();
  await sealing;
  rememberEnded("");
  if (former !== "" && former !== account) await seal(account);
  // At once, and not only with the code that loads later: the session may end before that.
  rememberAccount(account);
  if (!hasSealed()) return;
  try {
    await (await code()).unseal(account);
  } catch {
    // Without a network it stays sealed until the next sign-in or load.
  }
}

function seal(stays: string | undefined): Promise<void> {
  if (!keepsWork()) return sealing;
  sealing = sealing
    .then(async () => {
      await (await code()).sealOthers(stays);
      const whose = rememberedAccount();
      // A page that is loaded anew at this moment still says why it asks for a sign-in.
      if (stays === undefined && whose !== "") rememberEnded(whose);
      rememberAccount("");
    })
    // The next load tries again.
    .catch(() => undefined);
  return sealing;
}

/** Whether changes of this person wait here, unsaved, once what is kept of them is sealed. */
export async function hasUnsavedOf(whose: string): Promise<boolean> {
  await sealing;
  return keepsWork() || hasSealed() ? (await code()).hasUnsaved(whose) : false;
}
