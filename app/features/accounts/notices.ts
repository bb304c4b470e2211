import { formatMoment } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { defineNotice, type Email, type Notice } from "#app/platform/notices.ts";
import { hashToken } from "#app/platform/secrets.server.ts";
import { findAddressee } from "./accounts.server.ts";
import { emailLink } from "./email-link.ts";
import { findLink } from "./mail-links.server.ts";
import { CONFIRM_LINK_HOURS, RESET_LINK_HOURS } from "./rules.ts";
import { findSignUp } from "./sign-ups.server.ts";
import type { SecurityChange } from "./two-factor.server.ts";

interface AccountJob {
  userId: string;
}

/** `at` (ISO) distinguishes repeated changes. */
type ChangeJob = AccountJob & { at: string };
type OnTheWay = AccountJob & { gameId?: string | null };
type Addressee = NonNullable<Awaited<ReturnType<typeof findAddressee>>>;

/** A notice to the owner of an account; nothing once the account is gone. */
const defineAccountNotice = <Kind extends string, Job extends AccountJob = ChangeJob>(
  notice: Omit<Notice<Kind, Job, Addressee>, "facts" | "email">,
  email: (job: Job, site: Env) => Omit<Email, "text"> & { text: string[] },
) =>
  defineNotice<Kind, Job, Addressee>({
    ...notice,
    facts: ({ userId }, { db }) => findAddressee(db, userId),
    email({ firstName }, site, job) {
      const { text, ...content } = email(job, site);
      return { ...content, text: [`Hi ${firstName},`, ...text] };
    },
  });

/** Quotes nothing of the sign-up: anybody could use it to write to the owner of the address. */
const confirmAddress = (nameGame: NameGame) =>
  defineNotice({
    kind: "confirm-address",
    label: "Link to confirm a sign-up",
    async facts({ signUpId, token }: { signUpId: string; token: string }, { db, now }) {
      const to = await findSignUp(db, signUpId);
      // It may have waited for the mail server until its link expired.
      if (!to || !(await findLink(db, "confirm", token, now))) return null;
      return { email: to.email, game: await nameGame(db, to.redirectTo, now) };
    },
    key: ({ token }) => `confirm:${hashToken(token)}`,
    email({ game }, site, { token }) {
      const next = game ? `join ${game}` : "book your first game";
      return {
        subject: `Confirm your email for ${site.brandName}`,
        title: "Confirm your email",
        preview: `One tap and you can ${next}.`,
        action: { label: "Confirm my email", href: link(site, "/auth/confirm", { token }) },
        footer: `Did not sign up? Ignore this email and nothing happens. ${contact(site)}`,
        text: [
          "Hi,",
          `Welcome to ${site.brandName}. Confirm that this address is yours and you can ${next}. ` +
            `The link works once, within ${CONFIRM_LINK_HOURS} hours.`,
          "On another device than the one you signed up on, we ask for the password that you chose.",
        ],
      };
    },
  });

type NameGame = (db: Db, path: string | null, now: Date) => Promise<string | null>;

const passwordChanged = defineAccountNotice(
  {
    kind: "password-changed",
    label: "Note that the password was changed",
    key: ({ userId, at }) => `password-changed:${userId}:${at}`,
  },
  ({ at }, site) => ({
    subject: "Your password was changed",
    preview: "If it was you, there is nothing to do.",
    action: { label: "It was not me", href: `${site.appUrl}/auth/forgot` },
    text: [
      `The password of your ${site.brandName} account was changed on ${formatMoment(new Date(at))}. ` +
        "All other devices are signed out. If it was you, there is nothing to do.",
      "If it was not you, choose a new password right away: that signs everybody out. Then " +
        "change the password of your email too, and write to us.",
    ],
  }),
);

const accountExists = defineAccountNotice<"account-exists", OnTheWay>(
  {
    kind: "account-exists",
    label: "Note that the account exists already",
    // Repeats within the hour share a key, so they are one mail.
    key: ({ userId }) => `account-exists:${userId}:${new Date().toISOString().slice(0, 13)}`,
  },
  ({ gameId }, site) => ({
    subject: `You already have an account at ${site.brandName}`,
    title: "You already have an account",
    preview: "Sign in, or choose a new password.",
    action: { label: "Sign in", href: link(site, "/auth", { tab: "sign-in", gameId }) },
    footer: `Was it not you? Ignore this email: your account is unchanged. ${contact(site)}`,
    text: [
      `Somebody signed up at ${site.brandName} with this address, which has an account already. ` +
        "Sign in with your password. If you have forgotten it, choose “Forgot password?” there.",
    ],
  }),
);

const RESET_LASTS = RESET_LINK_HOURS === 1 ? "an hour" : `${RESET_LINK_HOURS} hours`;

const resetPassword = defineNotice({
  kind: "reset-password",
  label: "Link to choose a new password",
  facts: async ({ userId, token }: OnTheWay & { token: string }, { db, now }) =>
    (await findLink(db, "reset", token, now)) ? findAddressee(db, userId) : null,
  key: ({ token }) => `reset:${hashToken(token)}`,
  email: ({ firstName }, site, { token, gameId }) => ({
    subject: `Choose a new password for ${site.brandName}`,
    title: "Choose a new password",
    preview: `The link works once, within ${RESET_LASTS}.`,
    action: { label: "Choose a new password", href: link(site, "/auth/reset", { token, gameId }) },
    footer: `Did not ask for this? Ignore it: your password is unchanged. ${contact(site)}`,
    text: [
      `Hi ${firstName},`,
      `With this link you choose a new password. It works once, within ${RESET_LASTS}, and signs ` +
        "you out everywhere else.",
    ],
  }),
});

const accountSuspended = defineAccountNotice(
  {
    kind: "account-suspended",
    label: "Account suspended",
    key: ({ userId, at }) => `account-suspended:${userId}:${at}`,
  },
  ({ at }, site) => ({
    subject: `Your ${site.brandName} account is suspended`,
    title: "Your account is suspended",
    preview: "Until that is lifted you cannot sign in, join or cancel.",
    action: { label: "Write to us", href: `mailto:${site.contactEmail}` },
    text: [
      `The organisers suspended your ${site.brandName} account on ${formatMoment(new Date(at))}. ` +
        "Until that is lifted you cannot sign in, join a game or cancel one. Your credits stay yours.",
      "Are you in a game to come, do you have a subscription, or is this a mistake? Write to us.",
    ],
  }),
);

const suspensionLifted = defineAccountNotice(
  {
    kind: "suspension-lifted",
    label: "Suspension lifted",
    key: ({ userId, at }) => `suspension-lifted:${userId}:${at}`,
  },
  ({ at }, site) => ({
    subject: `Your ${site.brandName} account is open again`,
    title: "Your account is open again",
    preview: "You can sign in and join games.",
    action: { label: "Sign in", href: link(site, "/auth", { tab: "sign-in" }) },
    text: [
      `The organisers lifted the suspension of your ${site.brandName} account on ` +
        `${formatMoment(new Date(at))}. You can sign in and join games as before.`,
    ],
  }),
);

const SECURITY_CHANGES: Record<SecurityChange, { title: string; text: string }> = {
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

type SecurityJob = AccountJob & { change: SecurityChange; eventId: string };

const accountSecurity = defineAccountNotice<"account-security", SecurityJob>(
  {
    kind: "account-security",
    label: "Note that two-factor sign-in changed",
    key: ({ eventId }) => `account-security:${eventId}`,
  },
  ({ change }, site) => {
    const { title, text } = SECURITY_CHANGES[change];
    return {
      subject: `${title} for your ${site.brandName} account`,
      ...{ title, preview: text, text: [text] },
      action: { label: "See your settings", href: emailLink(site, "/settings") },
      footer:
        `Was it not you? Change your password at once and write to ${site.contactEmail}. We send ` +
        "this email with every change of how you sign in.",
    };
  },
);

interface LinkTo {
  /** The account page's tab; without it, a link on the way to a game opens the other tab. */
  tab?: "sign-in";
  token?: string;
  gameId?: string | null | undefined;
}

function link({ appUrl }: Env, path: string, { tab, token, gameId }: LinkTo): string {
  const query = new URLSearchParams({
    ...(tab && { tab }),
    ...(token && { token }),
    ...(gameId && { redirectTo: `/events/${gameId}` }),
  });
  return query.size > 0 ? `${appUrl}${path}?${query}` : appUrl + path;
}

const contact = ({ contactEmail }: Env) => `Questions: ${contactEmail}`;

export const accountNotices = (nameGame: NameGame) =>
  [
    confirmAddress(nameGame),
    passwordChanged,
    accountExists,
    resetPassword,
    accountSuspended,
    suspensionLifted,
    accountSecurity,
  ] as const;
