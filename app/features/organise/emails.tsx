import type { Unsubscribe } from "#app/features/notifications/settings.server.ts";
import {
  findAnother,
  gameMail,
  openGame,
  type Site,
  type Change,
  ChangeLines,
  type BookingSummary,
} from "#app/features/games/game-mail.tsx";
import { givenBack } from "#app/features/bookings/emails.tsx";

type CalledOff = BookingSummary & {
  message: string | null;
};

export function gameCancelledMail(site: Site, booking: CalledOff) {
  const back = givenBack(booking) ?? "No credits were taken for it.";
  return gameMail(site, booking, {
    subject: `Game cancelled: ${booking.when}`,
    title: "The game was cancelled",
    action: findAnother(site),
    text: booking.message ? (
      <>
        The organiser had to call it off:
        <br />
        <Lines text={booking.message} />
        {back}
      </>
    ) : (
      `The organiser had to call it off. ${back}`
    ),
  });
}

function Lines({ text }: { text: string }) {
  return text.split("\n").map((line, n) => (
    <span key={n}>
      {line}
      <br />
    </span>
  ));
}

export function gameChangedMail(
  site: Site,
  booking: BookingSummary,
  { changes, unsubscribe }: { changes: Change[]; unsubscribe: Unsubscribe },
) {
  return gameMail(site, booking, {
    unsubscribe,
    subject: `Game changed: ${booking.when}`,
    title: "Your game has changed",
    action: { label: "Keep it or cancel", href: `${site.appUrl}/bookings` },
    text: (
      <>
        <ChangeLines changes={changes} />
        You are still in. If it no longer suits you, cancel it under My Games. {booking.terms}
      </>
    ),
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
    text: <Lines text={message} />,
  });
}
