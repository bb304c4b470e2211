import type { ReactNode } from "react";
import type { Env } from "#app/platform/env.server.ts";
import { renderMail } from "#app/platform/mail.server.ts";
import { creditsText } from "#app/platform/money.ts";
import { MailShell, MailText } from "#app/ui/mail-shell.tsx";

export type Site = Pick<Env, "appUrl" | "brandName" | "contactEmail">;

export interface BookingNews {
  gameId: string;
  firstName: string;
  /** Such as "Saturday, Nov 21, 19:00–20:30". */
  when: string;
  where: string;
  /** What was paid or given back, in cents. */
  cents: number;
  /** What a cancellation would give back until when; in the confirmation only. */
  terms?: string;
}

/** You're in: when, where, what it cost and how to cancel. */
export function bookingConfirmedMail(site: Site, news: BookingNews) {
  const paid = news.cents > 0 ? `${creditsText(news.cents)} credits` : "This one is free";
  return write(site, news, {
    subject: `You're in: ${news.when}`,
    title: "You're in",
    action: { label: "Open the game", href: `${site.appUrl}/events/${news.gameId}` },
    text: `${paid}. If you can't make it, cancel under My Games. ${news.terms ?? ""}`,
  });
}

/** Your cancellation, and what it gave back. */
export function bookingCancelledMail(site: Site, news: BookingNews) {
  return write(site, news, {
    subject: `Booking cancelled: ${news.when}`,
    title: "Booking cancelled",
    action: { label: "Find another game", href: `${site.appUrl}/events` },
    text: givenBack(news.cents) ?? "No credits were refunded for this cancellation.",
  });
}

/** The organiser called the game off. */
export function gameCancelledMail(site: Site, news: BookingNews) {
  return write(site, news, {
    subject: `Game cancelled: ${news.when}`,
    title: "The game was cancelled",
    action: { label: "Find another game", href: `${site.appUrl}/events` },
    text: `The organiser had to call it off. ${givenBack(news.cents) ?? "No credits were taken for it."}`,
  });
}

/** The organiser has moved or changed the game: how it was and is, and that one may leave. */
export function gameChangedMail(
  site: Site,
  { changes, terms, ...news }: Omit<BookingNews, "cents"> & { changes: Change[] },
) {
  return write(site, news, {
    subject: `Game changed: ${news.when}`,
    title: "Your game has changed",
    action: { label: "Keep it or cancel", href: `${site.appUrl}/bookings` },
    text: (
      <>
        {changes.map(({ label, from, to }) => (
          <span key={label}>
            {label}: {from} → <strong>{to}</strong>
            <br />
          </span>
        ))}
        You are still in. If it no longer suits you, cancel it under My Games. {terms}
      </>
    ),
  });
}

/** How much came back to the wallet; null for nothing. */
export function givenBack(cents: number): string | null {
  return cents > 0 ? `${creditsText(cents)} credits are back in your wallet.` : null;
}

/** One thing that is not as it was. */
export interface Change {
  label: string;
  from: string;
  to: string;
}

interface Letter {
  subject: string;
  title: string;
  action: { label: string; href: string };
  text: ReactNode;
}

/** A mail about one game: who is meant, when and where, then what there is to say. */
export function write(
  site: Site,
  news: Omit<BookingNews, "cents">,
  { subject, title, action, text }: Letter,
) {
  return renderMail(
    subject,
    <MailShell
      brand={site.brandName}
      preview={`${news.when}, ${news.where}`}
      title={title}
      action={action}
      footer={`Questions: ${site.contactEmail}`}
    >
      <MailText>Hi {news.firstName},</MailText>
      <MailText>
        <strong>{news.when}</strong>
        <br />
        {news.where}
      </MailText>
      <MailText>{text}</MailText>
    </MailShell>,
  );
}
