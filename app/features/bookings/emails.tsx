import type { ReactNode } from "react";
import type { Env } from "#app/platform/env.server.ts";
import { renderMail } from "#app/platform/mail.server.ts";
import { creditsText } from "#app/platform/money.ts";
import { MailShell, MailText } from "#app/ui/mail-shell.tsx";

type Site = Pick<Env, "appUrl" | "brandName" | "contactEmail">;

interface BookingSummary {
  gameId: string;
  firstName: string;
  when: string;
  where: string;
  /** How it can be cancelled, as a sentence. */
  terms: string;
  priceCents: number;
  refundedCents: number;
  isFreeSessionBack: boolean;
}

export function bookingConfirmedMail(site: Site, booking: BookingSummary) {
  const { priceCents, terms } = booking;
  const paid = priceCents > 0 ? `${creditsText(priceCents)} credits` : "This one is free";
  return gameMail(site, booking, {
    subject: `You're in: ${booking.when}`,
    title: "You're in",
    action: openGame(site, booking),
    text:
      `${paid}. The attached file adds the game to your calendar. ` +
      `If you can't make it, cancel under My Games. ${terms}`,
  });
}

export function bookingCancelledMail(site: Site, booking: BookingSummary) {
  return gameMail(site, booking, {
    subject: `Booking cancelled: ${booking.when}`,
    title: "Booking cancelled",
    action: findAnother(site),
    text: givenBack(booking) ?? "No credits were refunded for this cancellation.",
  });
}

export function gameCancelledMail(site: Site, booking: BookingSummary) {
  return gameMail(site, booking, {
    subject: `Game cancelled: ${booking.when}`,
    title: "The game was cancelled",
    action: findAnother(site),
    text: `The organiser had to call it off. ${givenBack(booking) ?? "No credits were taken for it."}`,
  });
}

type Change = Record<"label" | "from" | "to", string>;

export function gameChangedMail(site: Site, booking: BookingSummary, changes: Change[]) {
  return gameMail(site, booking, {
    subject: `Game changed: ${booking.when}`,
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
        You are still in. If it no longer suits you, cancel it under My Games. {booking.terms}
      </>
    ),
  });
}

export function addedToGameMail(site: Site, booking: BookingSummary) {
  return gameMail(site, booking, {
    subject: `You're on the list: ${booking.when}`,
    title: "You're on the list",
    action: openGame(site, booking),
    text:
      "The organiser has put you on the list. No credits were taken: settle it with the organiser. " +
      `If you can't make it, write to ${site.contactEmail}.`,
  });
}

export function removedFromGameMail(site: Site, booking: BookingSummary) {
  return gameMail(site, booking, {
    subject: `You're no longer in: ${booking.when}`,
    title: "You were taken off the list",
    action: findAnother(site),
    text: `The organiser has taken you off the list. ${givenBack(booking) ?? "No credits were refunded."}`,
  });
}

export function gameMessageMail(
  site: Site,
  booking: BookingSummary,
  { subject, message }: { subject: string; message: string },
) {
  return gameMail(site, booking, {
    subject,
    title: subject,
    action: openGame(site, booking),
    text: message.split("\n").map((line, n) => (
      <span key={n}>
        {line}
        <br />
      </span>
    )),
  });
}

function givenBack({ refundedCents, isFreeSessionBack }: BookingSummary): string | null {
  if (refundedCents > 0) return `${creditsText(refundedCents)} credits are back in your wallet.`;
  return isFreeSessionBack ? "Your free session is back for another game." : null;
}

const openGame = (site: Site, { gameId }: BookingSummary) => ({
  label: "Open the game",
  href: `${site.appUrl}/events/${gameId}`,
});

const findAnother = (site: Site) => ({ label: "Find another game", href: `${site.appUrl}/events` });

interface Content {
  subject: string;
  title: string;
  action: { label: string; href: string };
  text: ReactNode;
}

function gameMail(
  site: Site,
  { firstName, when, where }: BookingSummary,
  { subject, title, action, text }: Content,
) {
  return renderMail(
    subject,
    <MailShell
      brand={site.brandName}
      preview={`${when}, ${where}`}
      title={title}
      action={action}
      footer={`Questions: ${site.contactEmail}`}
    >
      <MailText>Hi {firstName},</MailText>
      <MailText>
        <strong>{when}</strong>
        <br />
        {where}
      </MailText>
      <MailText>{text}</MailText>
    </MailShell>,
  );
}
