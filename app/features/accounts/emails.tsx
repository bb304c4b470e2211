import { emailLink } from "./email-link.ts";
import type { ComponentProps } from "react";
import { formatMoment } from "#app/platform/clock.ts";
import type { Env } from "#app/platform/env.server.ts";
import { CONFIRM_LINK_HOURS, RESET_LINK_HOURS } from "./rules.ts";
import { renderMail } from "#app/platform/mail.server.ts";
import { MailShell, MailText } from "#app/ui/mail-shell.tsx";

type Site = Pick<Env, "appUrl" | "brandName" | "contactEmail">;

/** Quotes nothing of the sign-up: anybody could use it to write to the owner of the address. */
export function confirmAddressMail(site: Site, token: string, game: string | null) {
  const next = game ? `join ${game}` : "book your first game";
  return accountMail(site, {
    subject: `Confirm your email for ${site.brandName}`,
    title: "Confirm your email",
    preview: `One tap and you can ${next}.`,
    action: { label: "Confirm my email", href: link(site, "/auth/confirm", { token }) },
    footer: `Did not sign up? Ignore this email and nothing happens. ${contact(site)}`,
    paragraphs: [
      "Hi,",
      `Welcome to ${site.brandName}. Confirm that this address is yours and you can ${next}. ` +
        `The link works once, within ${CONFIRM_LINK_HOURS} hours.`,
      "On another device than the one you signed up on, we ask for the password that you chose.",
    ],
  });
}

export function passwordChangedMail(site: Site, firstName: string, at: Date) {
  return accountMail(site, {
    subject: "Your password was changed",
    title: "Your password was changed",
    preview: "If it was you, there is nothing to do.",
    action: { label: "It was not me", href: `${site.appUrl}/auth/forgot` },
    footer: contact(site),
    paragraphs: [
      `Hi ${firstName},`,
      `The password of your ${site.brandName} account was changed on ${formatMoment(at)}. All ` +
        "other devices are signed out. If it was you, there is nothing to do.",
      "If it was not you, choose a new password right away: that signs everybody out. Then " +
        "change the password of your email too, and write to us.",
    ],
  });
}

export function accountExistsMail(site: Site, firstName: string, gameId?: string | null) {
  return accountMail(site, {
    subject: `You already have an account at ${site.brandName}`,
    title: "You already have an account",
    preview: "Sign in, or choose a new password.",
    action: { label: "Sign in", href: link(site, "/auth", { tab: "sign-in", gameId }) },
    footer: `Was it not you? Ignore this email: your account is unchanged. ${contact(site)}`,
    paragraphs: [
      `Hi ${firstName},`,
      `Somebody signed up at ${site.brandName} with this address, which has an account already. ` +
        "Sign in with your password. If you have forgotten it, choose “Forgot password?” there.",
    ],
  });
}

export function resetPasswordMail(site: Site, firstName: string, to: LinkTo) {
  const lasts = RESET_LINK_HOURS === 1 ? "an hour" : `${RESET_LINK_HOURS} hours`;
  return accountMail(site, {
    subject: `Choose a new password for ${site.brandName}`,
    title: "Choose a new password",
    preview: `The link works once, within ${lasts}.`,
    action: { label: "Choose a new password", href: link(site, "/auth/reset", to) },
    footer: `Did not ask for this? Ignore it: your password is unchanged. ${contact(site)}`,
    paragraphs: [
      `Hi ${firstName},`,
      `With this link you choose a new password. It works once, within ${lasts}, and signs you ` +
        "out everywhere else.",
    ],
  });
}

/** Without the reason, which only organisers read. */
export function accountSuspendedMail(site: Site, firstName: string, at: Date) {
  return accountMail(site, {
    subject: `Your ${site.brandName} account is suspended`,
    title: "Your account is suspended",
    preview: "Until that is lifted you cannot sign in, join or cancel.",
    action: { label: "Write to us", href: `mailto:${site.contactEmail}` },
    footer: contact(site),
    paragraphs: [
      `Hi ${firstName},`,
      `The organisers suspended your ${site.brandName} account on ${formatMoment(at)}. Until that ` +
        "is lifted you cannot sign in, join a game or cancel one. Your credits stay yours.",
      "Are you in a game to come, do you have a subscription, or is this a mistake? Write to us.",
    ],
  });
}

export function suspensionLiftedMail(site: Site, firstName: string, at: Date) {
  return accountMail(site, {
    subject: `Your ${site.brandName} account is open again`,
    title: "Your account is open again",
    preview: "You can sign in and join games.",
    action: { label: "Sign in", href: link(site, "/auth", { tab: "sign-in" }) },
    footer: contact(site),
    paragraphs: [
      `Hi ${firstName},`,
      `The organisers lifted the suspension of your ${site.brandName} account on ` +
        `${formatMoment(at)}. You can sign in and join games as before.`,
    ],
  });
}

const SECURITY_CHANGES = {
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

export type SecurityChange = keyof typeof SECURITY_CHANGES;

export function accountSecurityMail(site: Site, firstName: string, change: SecurityChange) {
  const { title, text } = SECURITY_CHANGES[change];
  return accountMail(site, {
    subject: `${title} for your ${site.brandName} account`,
    title,
    preview: text,
    action: { label: "See your settings", href: emailLink(site, "/settings") },
    footer:
      `Was it not you? Change your password at once and write to ${site.contactEmail}. We send ` +
      "this email with every change of how you sign in.",
    paragraphs: [`Hi ${firstName},`, text],
  });
}

type AccountMail = Omit<ComponentProps<typeof MailShell>, "brand" | "children"> & {
  subject: string;
  paragraphs: string[];
};

function accountMail(site: Site, { subject, paragraphs, ...shell }: AccountMail) {
  return renderMail(
    subject,
    <MailShell brand={site.brandName} {...shell}>
      {paragraphs.map((paragraph) => (
        <MailText key={paragraph}>{paragraph}</MailText>
      ))}
    </MailShell>,
  );
}

interface LinkTo {
  /** Of the account page; without it, a link on the way to a game opens the other tab. */
  tab?: "sign-in";
  token?: string;
  gameId?: string | null | undefined;
}

function link({ appUrl }: Site, path: string, { tab, token, gameId }: LinkTo): string {
  const query = new URLSearchParams({
    ...(tab && { tab }),
    ...(token && { token }),
    ...(gameId && { redirectTo: `/events/${gameId}` }),
  });
  return query.size > 0 ? `${appUrl}${path}?${query}` : appUrl + path;
}

function contact({ contactEmail }: Site): string {
  return `Questions: ${contactEmail}`;
}
