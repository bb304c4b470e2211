import { log } from "#app/platform/log.server.ts";

const LEVELS = {
  "signed in": "info",
  "password right, code owed": "info",
  "second factor passed": "info",
  "sign-in failed": "warn",
  "second factor failed": "warn",
  "access denied": "warn",
  "too many attempts": "warn",
  "cross-site form refused": "warn",
} as const;

/** Who and where, without an address, a token or anything else that somebody typed. */
interface Facts {
  userId?: string | undefined;
  /** By Accounts.hashEmail: nobody knows yet whether such an account exists. */
  addressHash?: string;
  reason?: string;
  /** Of an address of ours only what stands before the query. */
  url?: string;
}

/** Writes what a guard or a form decided about somebody into the log (ASVS 5.0, 16.3). */
export function logSecurityEvent(event: keyof typeof LEVELS, { url, ...facts }: Facts): void {
  const path = url && new URL(url).pathname.replace(/\.data$/, "");
  log[LEVELS[event]]({ event, ...facts, ...(path && { path: withoutOthers(path) }) }, "security");
}

/** Whether a code was right, at sign-in or in the settings. */
export function logSecondFactor(userId: string, result: { ok: boolean; reason?: string }): void {
  if (result.ok) logSecurityEvent("second factor passed", { userId });
  else logSecurityEvent("second factor failed", { userId, reason: result.reason ?? "" });
}

/** Of a path its plain words and ids: a shared card's address would open the card. */
function withoutOthers(path: string): string {
  return path
    .split("/")
    .map((part) => (/^[a-z-]{0,20}$|^[0-9a-f-]{36}$/.test(part) ? part : "…"))
    .join("/");
}
