import type { FailedMail } from "#app/features/players/failed-mails.server.ts";
import type { Queue } from "#app/platform/jobs.server.ts";
import { formatMoment } from "#app/platform/clock.ts";

/** What kind of email it is. */
const KINDS: Record<Queue, string> = {
  "mail.confirm-address": "Link to confirm a sign-up",
  "mail.account-exists": "Note that the account exists already",
  "mail.reset-password": "Link to choose a new password",
  "mail.password-changed": "Note that the password was changed",
  "mail.account-security": "Note that two-factor sign-in changed",
  "mail.booking-confirmed": "Booking confirmed",
  "mail.booking-cancelled": "Booking cancelled",
  "mail.game-cancelled": "Game cancelled",
  "mail.added-to-game": "Added to a game",
  "mail.removed-from-game": "Removed from a game",
  "mail.game-message": "Message to a game's players",
  "mail.game-changed": "Game changed",
  "mail.support-message": "Support message, to the contact address",
  "mail.review": "Review, to the contact address",
  "mail.withdrawal": "Withdrawal received",
  "mail.withdrawal-ended": "Withdrawal taken back or refused",
  "mail.answer": "Answer from the inbox",
  "mail.account-deleted": "Account deleted",
};

/** An email of the list, in words; made on the server. */
export function showFailedMail(mail: FailedMail) {
  const { id, userId, name, hasLapsed } = mail;
  return {
    id,
    // What the database holds may be of another version.
    kind: (KINDS as Partial<Record<string, string>>)[mail.queue] ?? mail.queue,
    player: userId && name ? { userId, name } : null,
    when: formatMoment(mail.failedAt),
    why: whyWords(mail),
    hasLapsed,
  };
}
export type FailedMailWords = ReturnType<typeof showFailedMail>;

function whyWords({ error, code, reason }: FailedMail): string {
  if (error !== "MailError") return "Something broke on our side. The log says what.";
  if (/^\d{3}$/.test(code ?? "")) return `The mail server said: ${reason}`;
  if (code === "EENVELOPE" || code === "EMESSAGE") return `It cannot be sent: ${reason}`;
  return "The mail server took no emails for a day.";
}
