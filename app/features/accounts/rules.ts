import type { EmailTags } from "#app/platform/env.server.ts";

/** A session ends so many days after it was last used … */
export const SESSION_DAYS = 30;
/** … and at the latest so many days after it began. */
export const SESSION_MAX_DAYS = 90;
/** An admin's ends after so many hours without use. */
export const ADMIN_IDLE_HOURS = 12;
/** Between the password and the code of a sign-in, and while a second factor is set up. */
export const SECOND_STEP_MINUTES = 10;
export const RECOVERY_CODES = 10;
export const CONFIRM_LINK_HOURS = 24;
export const RESET_LINK_HOURS = 1;
/** A sign-up that nobody confirms goes after so many days. */
export const SIGN_UP_DAYS = 30;
/** Sign-ups of one person that wait at once. */
export const MOST_SIGN_UPS = 100;

/** Mails of one kind to one account, or confirmations to a person, that go out at once. */
export const MAILS_PER_HOUR = 3;
/** Seconds that each further confirmation to a person waits after the one before. */
const MAIL_PAUSES = [15, 30, 60, 120, 240, 480, 600];
/** So many confirmations to a person wait at most. */
const MOST_WAITING_MAILS = 10;

/**
 * Seconds after the one before that the next confirmation mail to a person goes: 0 for at once,
 * null where too many wait already. `recent` counts those of the last hour and those that wait.
 */
export function pauseBeforeMail(counts: { recent: number; waiting: number }): number | null {
  if (counts.recent < MAILS_PER_HOUR) return 0;
  if (counts.waiting >= MOST_WAITING_MAILS) return null;
  const turn = Math.min(counts.recent - MAILS_PER_HOUR, MAIL_PAUSES.length - 1);
  return MAIL_PAUSES[turn] ?? null;
}

/**
 * By which a person is known: their address in lower case, without the "+tag" where tags are the
 * same person (EMAIL_TAGS). What stands before the "+" is never empty.
 */
export function personOf(email: string, tags: EmailTags): string {
  const address = email.toLowerCase();
  return tags === "same" ? address.replace(/^([^+@]+)\+[^@]*@/, "$1@") : address;
}

/**
 * Deeds of one client address a minute. A campus shares one address, so these hold off a flood
 * and nothing else; guessing is slowed per account.
 */
export const PER_ADDRESS_AND_MINUTE = { "sign-in": 600, "sign-up": 120, mail: 120 };

/** So many failed sign-ins of one account cost no time yet. */
export const FREE_FAILURES = 4;
/** Seconds to wait after n failed sign-ins of one account in a row; the last one stays. */
export const SIGN_IN_DELAYS = [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60];
/** Failures older than this do not count any more. */
export const FAILURES_COUNT_HOURS = 24;

/** Whole seconds until the next attempt on an account may be made, 0 when it may be made now. */
export function secondsToWait(failures: number, lastFailedAt: Date, now: Date): number {
  const delay = SIGN_IN_DELAYS[Math.min(failures, SIGN_IN_DELAYS.length - 1)] ?? 0;
  const left = lastFailedAt.getTime() + delay * 1_000 - now.getTime();
  return Math.min(Math.max(Math.ceil(left / 1_000), 0), delay);
}

/** "Too many attempts. Try again in 8 seconds." */
export function tooManyAttempts(seconds: number): string {
  return `Too many attempts. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
}

/** Says nothing of which it was. */
export const WRONG_CODE = "Wrong code, or one that was used already. Please try the next one.";

/** What changed about how an account is signed in to. */
export type SecurityChange =
  | "two-factor-on"
  | "two-factor-off"
  | "two-factor-reset"
  | "recovery-codes"
  | "recovery-code-used";
