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
}

type WithCents = BookingSummary & { cents: number };

export function bookingConfirmedMail(site: Site, booking: WithCents & { terms: string }) {
  const paid = booking.cents > 0 ? `${creditsText(booking.cents)} credits` : "This one is free";
  return gameMail(site, booking, {
    subject: `You're in: ${booking.when}`,
    title: "You're in",
    action: openGame(site, booking),
    text: `${paid}. If you can't make it, cancel under My Games. ${booking.terms}`,
  });
}

export function bookingCancelledMail(site: Site, booking: WithCents) {
  return gameMail(site, booking, {
    subject: `Booking cancelled: ${booking.when}`,
    title: "Booking cancelled",
    action: findAnother(site),
    text: givenBack(booking.cents) ?? "No credits were refunded for this cancellation.",
  });
}

export function gameCancelledMail(site: Site, booking: WithCents) {
  return gameMail(site, booking, {
    subject: `Game cancelled: ${booking.when}`,
    title: "The game was cancelled",
    action: findAnother(site),
    text: `The organiser had to call it off. ${givenBack(booking.cents) ?? "No credits were taken for it."}`,
  });
}

export interface Change {
  label: string;
  from: string;
  to: string;
}

export function gameChangedMail(
  site: Site,
  { changes, terms, ...booking }: BookingSummary & { terms: string; changes: Change[] },
) {
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
        You are still in. If it no longer suits you, cancel it under My Games. {terms}
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

export function removedFromGameMail(site: Site, booking: WithCents) {
  return gameMail(site, booking, {
    subject: `You're no longer in: ${booking.when}`,
    title: "You were taken off the list",
    action: findAnother(site),
    text: `The organiser has taken you off the list. ${givenBack(booking.cents) ?? "No credits were refunded."}`,
  });
}

export function gameMessageMail(
  site: Site,
  { subject, message, ...booking }: BookingSummary & { subject: string; message: string },
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

const givenBack = (cents: number) =>
  cents > 0 ? `${creditsText(cents)} credits are back in your wallet.` : null;

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
