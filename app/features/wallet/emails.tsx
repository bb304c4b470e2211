import { emailLink } from "#app/features/accounts/email-link.ts";
import { UnsubscribeFooter } from "#app/features/notifications/emails.tsx";
import type { Unsubscribe } from "#app/features/notifications/settings.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { renderMail } from "#app/platform/mail.server.ts";
import { creditsCount } from "#app/platform/money.ts";
import { MailShell, MailText } from "#app/ui/mail-shell.tsx";

interface Expiring {
  firstName: string;
  title: string;
  unsubscribe: Unsubscribe;
}

export function creditsExpiringMail(
  site: Pick<Env, "appUrl" | "brandName" | "contactEmail">,
  { firstName, title, unsubscribe }: Expiring,
) {
  return renderMail(
    title,
    <MailShell
      brand={site.brandName}
      preview="Then they expire."
      title={title}
      action={{ label: "Find a game", href: emailLink(site, "/events") }}
      footer={<UnsubscribeFooter site={site} unsubscribe={unsubscribe} />}
    >
      <MailText>Hi {firstName},</MailText>
      <MailText>
        What you don't use by then expires. Just join a game: credits that expire soonest are used
        first.
      </MailText>
    </MailShell>,
  );
}

interface Corrected {
  firstName: string;
  /** Negative where credits were taken. */
  amountCents: number;
  balanceCents: number;
  reason: string;
}

export function balanceCorrectedMail(
  site: Pick<Env, "appUrl" | "brandName" | "contactEmail">,
  { firstName, amountCents, balanceCents, reason }: Corrected,
) {
  const credits = creditsCount(Math.abs(amountCents));
  const title = amountCents < 0 ? `${credits} were taken` : `You were given ${credits}`;
  return renderMail(
    title,
    <MailShell
      brand={site.brandName}
      preview={reason}
      title={title}
      action={{ label: "See your statement", href: emailLink(site, "/wallet") }}
      footer={`Is this not right? Write to ${site.contactEmail}.`}
    >
      <MailText>Hi {firstName},</MailText>
      <MailText>
        The organisers have corrected your balance: {title.charAt(0).toLowerCase() + title.slice(1)}
        . Their reason: {reason}
      </MailText>
      <MailText>Your balance is now {creditsCount(balanceCents)}.</MailText>
    </MailShell>,
  );
}
