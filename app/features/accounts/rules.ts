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
/** Mails of one kind to one account; beyond that none is sent. */
export const MAILS_PER_HOUR = 3;

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
