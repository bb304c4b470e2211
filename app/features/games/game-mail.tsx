import type { ReactNode } from "react";
import { emailLink } from "#app/features/accounts/email-link.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { Email } from "#app/platform/notices.ts";

export type Site = Pick<Env, "appUrl" | "brandName" | "contactEmail">;

export const openGame = (site: Site, { gameId }: { gameId: string }) => ({
  label: "Open the game",
  href: `${site.appUrl}/events/${gameId}`,
});

export const findAnother = (site: Site) => ({
  label: "Find another game",
  href: `${site.appUrl}/events`,
});

interface Recipient {
  firstName: string;
  when: string;
  where: string;
}

interface GameEmail extends Pick<Email, "subject" | "below" | "replyTo"> {
  title: string;
  action: { label: string; href: string };
  text: ReactNode;
}

/** An email about a game; its action leads anyone who is signed out to the sign-in first. */
export function gameMail(
  site: Site,
  { firstName, when, where }: Recipient,
  { action, text, ...email }: GameEmail,
): Email {
  return {
    ...email,
    preview: `${when}, ${where}`,
    action: { ...action, href: emailLink(site, action.href.replace(site.appUrl, "")) },
    text: [`Hi ${firstName},`, <WhenAndWhere key="" {...{ when, where }} />, text],
  };
}

export const WhenAndWhere = ({ when, where }: Omit<Recipient, "firstName">) => (
  <>
    <strong>{when}</strong>
    <br />
    {where}
  </>
);

export type FieldChange = Record<"label" | "from" | "to", string>;

export function ChangeLines({ changes }: { changes: FieldChange[] }) {
  return changes.map(({ label, from, to }) => (
    <span key={label}>
      {label}: {from} → <strong>{to}</strong>
      <br />
    </span>
  ));
}
