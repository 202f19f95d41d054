/** The team that somebody chose in this browser. Signing out clears it with everything else. */
const KEY = "sagascript.team";

export const rememberedTeam = (): string | undefined => localStorage.getItem(KEY) ?? undefined;

export function rememberTeam(choice: string): void {
  localStorage.setItem(KEY, choice);
}

export function forgetTeam(): void {
  localStorage.removeItem(KEY);
}
