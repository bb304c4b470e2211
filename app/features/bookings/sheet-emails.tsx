import { type BookingNews, givenBack, type Site, write } from "./emails.tsx";

type News = Omit<BookingNews, "cents">;

/** The organiser has given the player a seat. */
export function addedToGameMail(site: Site, news: News) {
  return write(site, news, {
    subject: `You're on the list: ${news.when}`,
    title: "You're on the list",
    action: { label: "Open the game", href: `${site.appUrl}/events/${news.gameId}` },
    text:
      "The organiser has put you on the list. No credits were taken: settle it with the organiser. " +
      `If you can't make it, write to ${site.contactEmail}.`,
  });
}

/** The organiser has taken the player off the list, and what that gave back. */
export function removedFromGameMail(site: Site, news: BookingNews) {
  return write(site, news, {
    subject: `You're no longer in: ${news.when}`,
    title: "You were taken off the list",
    action: { label: "Find another game", href: `${site.appUrl}/events` },
    text: `The organiser has taken you off the list. ${givenBack(news.cents) ?? "No credits were refunded."}`,
  });
}

/** What the organiser writes to everybody who is in. */
export function gameMessageMail(
  site: Site,
  { subject, message, ...news }: News & { subject: string; message: string },
) {
  return write(site, news, {
    subject,
    title: subject,
    action: { label: "Open the game", href: `${site.appUrl}/events/${news.gameId}` },
    text: message.split("\n").map((line, n) => (
      <span key={n}>
        {line}
        <br />
      </span>
    )),
  });
}
