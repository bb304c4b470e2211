import type { EmailTags } from "#app/platform/env.server.ts";

export const SESSION_DAYS = 30;
export const SESSION_MAX_DAYS = 90;
export const ADMIN_IDLE_HOURS = 12;
export const SECOND_STEP_MINUTES = 10;
export const RECOVERY_CODES = 10;
export const CONFIRM_LINK_HOURS = 24;
export const RESET_LINK_HOURS = 1;
export const SIGN_UP_DAYS = 30;
export const SUSPENSION_REASON_MAX = 500;
/** For one person. */
export const MOST_SIGN_UPS = 100;

export const PASSWORD_RULE =
  "At least 8 characters, with an uppercase letter, a lowercase letter and a number.";

/** To one account, or to one person for confirmations. */
export const MAILS_PER_HOUR = 3;
const MAIL_PAUSES = [15, 30, 60, 120, 240, 480, 600];
const MOST_WAITING_MAILS = 10;

/** Seconds after the previous mail; null if too many wait. `recent` includes those that wait. */
export function pauseBeforeMail(counts: { recent: number; waiting: number }): number | null {
  if (counts.recent < MAILS_PER_HOUR) return 0;
  if (counts.waiting >= MOST_WAITING_MAILS) return null;
  const turn = Math.min(counts.recent - MAILS_PER_HOUR, MAIL_PAUSES.length - 1);
  return MAIL_PAUSES[turn] ?? null;
}

/** Without the "+tag" where EMAIL_TAGS treats tags as the same person. */
export function personOf(email: string, tags: EmailTags): string {
  const address = email.toLowerCase();
  return tags === "same" ? address.replace(/^([^+@]+)\+[^@]*@/, "$1@") : address;
}

/** Takes the address out of "Ann <ann@uni.example>", as mail programs copy it, in lower case. */
export function addressOf(typed: string): string {
  const [, inside] = /^[^<>]*<(?:mailto:)?([^<>@]+@[^<>@]+)>[,;]?$/i.exec(typed) ?? [];
  // Markup is stripped (specification, section 5).
  const address = inside ?? typed.replace(/<[^<>]*>/g, "").replace(/^mailto:/i, "");
  return address.trim().toLowerCase();
}

/** What browsers take in an email field (HTML) and mail servers without quotes (RFC 5322). */
export function isEmail(address: string): boolean {
  const [local = "", domain = "", more] = address.split("@");
  const isWritten = local.split(".").every((atom) => ATOM.test(atom));
  const isHost = domain.split(".").every((label) => LABEL.test(label) && label.length < 64);
  return isWritten && isHost && more === undefined;
}

/** `&`, `?` and `#` of an address mean something else in a link (RFC 6068). */
export const mailtoOf = (email: string) =>
  `mailto:${encodeURIComponent(email).replace("%40", "@")}`;

const ATOM = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+$/i;
const LABEL = /^[a-z0-9]+(-+[a-z0-9]+)*$/i;

/** A campus shares one address, so these only stop a flood; guessing is slowed per account. */
export const PER_ADDRESS_AND_MINUTE = { "sign-in": 600, "sign-up": 120, mail: 120, calendar: 600 };

export const FREE_FAILURES = 4;
/** Seconds to wait after n failures in a row; the last one stays. */
export const SIGN_IN_DELAYS = [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60];
export const FAILURES_COUNT_HOURS = 24;

export function secondsToWait(failures: number, lastFailedAt: Date, now: Date): number {
  const delay = SIGN_IN_DELAYS[Math.min(failures, SIGN_IN_DELAYS.length - 1)] ?? 0;
  const left = lastFailedAt.getTime() + delay * 1_000 - now.getTime();
  return Math.min(Math.max(Math.ceil(left / 1_000), 0), delay);
}

export function tooManyAttempts(seconds: number): string {
  return `Too many attempts. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
}

/** Emails carry this id, not the path: a stranger could write to an address's owner in a path. */
export function gameIdAt(path: string | null | undefined): string | null {
  return /^\/events\/([0-9a-f-]{36})(?=[?#]|$)/i.exec(path ?? "")?.[1] ?? null;
}

export const WRONG_CODE = "Wrong code, or one that was used already. Please try the next one.";
