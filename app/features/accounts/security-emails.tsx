import type { SecurityChange } from "./rules.ts";
import { type MailContent, renderMail } from "#app/platform/mail.server.ts";
import { MailShell, MailText } from "#app/ui/mail-shell.tsx";
import type { Site } from "./emails.tsx";

/** What happened, as the subject says it and as the mail explains it. */
const WORDS: Record<SecurityChange, { title: string; text: string }> = {
  "two-factor-on": {
    title: "Two-factor sign-in is on",
    text: "From now on signing in asks for your password and a code from your app.",
  },
  "two-factor-off": {
    title: "Two-factor sign-in is off",
    text: "Signing in asks for your password alone again.",
  },
  "two-factor-reset": {
    title: "Two-factor sign-in was reset",
    text:
      "An operator turned it off for you and signed you out on all devices. " +
      "Sign in with your password and set it up again.",
  },
  "recovery-codes": {
    title: "New recovery codes were made",
    text: "Your former recovery codes do not work any more.",
  },
  "recovery-code-used": {
    title: "A recovery code was used",
    text: "It was used in place of a code from your app, and cannot be used again.",
  },
};

/** Tells the owner what changed about signing in to their account. */
export function accountSecurityMail(
  site: Site,
  firstName: string,
  change: SecurityChange,
): Promise<MailContent> {
  const { title, text } = WORDS[change];
  return renderMail(
    `${title} for your ${site.brandName} account`,
    <MailShell
      brand={site.brandName}
      preview={text}
      title={title}
      action={{ label: "See your settings", href: `${site.appUrl}/settings` }}
      footer={
        <>
          Was it not you? Change your password at once and write to {site.contactEmail}. We send
          this mail with every change of how you sign in.
        </>
      }
    >
      <MailText>Hi {firstName},</MailText>
      <MailText>{text}</MailText>
    </MailShell>,
  );
}
