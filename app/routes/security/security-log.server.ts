import { log } from "#app/platform/log.server.ts";
import { securityEvents } from "#app/platform/observability/metrics.server.ts";
import { pagePath } from "#app/routes/page-path.ts";

const LEVELS = {
  "signed in": "info",
  "password right, code owed": "info",
  "second factor passed": "info",
  "sign-in failed": "warn",
  "second factor failed": "warn",
  "access denied": "warn",
  "too many attempts": "warn",
  "cross-site form rejected": "warn",
} as const;

/** No email addresses, tokens or other input. */
interface SecurityDetails {
  userId?: string | undefined;
  /** Accounts.hashEmail of an address that may have no account. */
  addressHash?: string;
  /** Accounts.hashNetwork of the client's address, to see the flood of one network. */
  networkHash?: string;
  reason?: string;
  /** Logged without its query. */
  url?: string;
}

/** Security decisions of guards and forms (ASVS 5.0, 16.3). */
export function logSecurityEvent(
  event: keyof typeof LEVELS,
  { url, ...facts }: SecurityDetails,
): void {
  const path = url && pagePath(url);
  securityEvents.inc({ event });
  log[LEVELS[event]]({ event, ...facts, ...(path && { path: withoutSecrets(path) }) }, "security");
}

export function logSecondFactor(userId: string, result: { ok: boolean; reason?: string }): void {
  if (result.ok) logSecurityEvent("second factor passed", { userId });
  else logSecurityEvent("second factor failed", { userId, reason: result.reason ?? "" });
}

/** Keeps only fixed words and ids: addresses of shared cards and calendars are secret. */
export function withoutSecrets(path: string): string {
  return path
    .split("/")
    .map((part) => (/^[a-z-]{0,20}$|^[0-9a-f-]{36}$/.test(part) ? part : "…"))
    .join("/");
}
