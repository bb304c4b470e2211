import type { ReactNode } from "react";
import { emailLink } from "#app/features/accounts/email-link.ts";
import { UnsubscribeFooter } from "#app/features/notifications/emails.tsx";
import type { Unsubscribe } from "#app/features/notifications/settings.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { renderMail } from "#app/platform/mail.server.ts";
import { MailShell, MailText } from "#app/ui/mail-shell.tsx";
import { playersText } from "./rules.ts";
import { withFewerText } from "./minimum-rules.ts";

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

interface Content {
  subject: string;
  title: string;
  action: { label: string; href: string };
  text: ReactNode;
  below?: ReactNode;
  unsubscribe?: Unsubscribe;
}

export function gameMail(
  site: Site,
  { firstName, when, where }: Recipient,
  { subject, title, action, text, below, unsubscribe }: Content,
) {
  const questions = `Questions: ${site.contactEmail}`;
  const href = emailLink(site, action.href.replace(site.appUrl, ""));
  return renderMail(
    subject,
    <MailShell
      brand={site.brandName}
      preview={`${when}, ${where}`}
      title={title}
      action={{ ...action, href }}
      below={below}
      footer={unsubscribe ? <UnsubscribeFooter site={site} unsubscribe={unsubscribe} /> : questions}
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

export type Change = Record<"label" | "from" | "to", string>;

export function ChangeLines({ changes }: { changes: Change[] }) {
  return changes.map(({ label, from, to }) => (
    <span key={label}>
      {label}: {from} → <strong>{to}</strong>
      <br />
    </span>
  ));
}

export interface BookingSummary {
  gameId: string;
  firstName: string;
  when: string;
  where: string;
  terms: string;
  priceCents: number;
  refundedCents: number;
  lateRefundCents: number;
  isFreeSessionBack: boolean;
  cashBack: string | null;
  undecidedMinimum: number | null;
}

export function minimumTerms(
  booking: Pick<BookingSummary, "undecidedMinimum" | "priceCents">,
): string {
  const { undecidedMinimum, priceCents } = booking;
  if (!undecidedMinimum) return "";
  return `It takes ${playersText(undecidedMinimum)}. ${withFewerText(priceCents)} `;
}

export const LINK = { color: "inherit", textDecoration: "underline" };
