import { emailLink } from "#app/features/accounts/email-link.ts";
import { Fragment, type ReactNode } from "react";
import type { Env } from "#app/platform/env.server.ts";
import { renderMail } from "#app/platform/mail.server.ts";
import { creditsText, euros } from "#app/platform/money.ts";
import { MailShell, MailText } from "#app/ui/mail-shell.tsx";
import { RATINGS, startsWithGreeting } from "./rules.ts";

type Site = Pick<Env, "appUrl" | "brandName" | "contactEmail">;

interface Sender {
  firstName: string;
  lastName: string;
  email: string;
}

export function supportMessageMail(
  site: Site,
  from: Sender,
  { subject, message }: { subject: string; message: string },
) {
  return contactMail(site, from, { subject: `Support: ${subject}`, title: subject, text: message });
}

/** To the contact address: the player has replied to an answer by email. */
export function ticketReplyMail(
  site: Site,
  from: Sender,
  reply: { ticketId: string; subject: string | null; body: string; sentFrom: string | null },
) {
  const about = reply.subject ?? "your review";
  const other = reply.sentFrom ? `\n\n(Sent from ${reply.sentFrom}.)` : "";
  return contactMail(site, from, {
    subject: `Reply: ${about}`,
    title: about,
    text: `${reply.body}${other}`,
    action: { label: "Open the thread", href: `${site.appUrl}/admin/inbox/${reply.ticketId}` },
  });
}

export function reviewMail(
  site: Site,
  from: Sender,
  { rating, comment }: { rating: number; comment: string | null },
) {
  const subject = `Review: ${rating} of ${RATINGS.length}`;
  const title = `${rating} of ${RATINGS.length}: ${RATINGS[rating - 1]}`;
  return contactMail(site, from, { subject, title, text: comment || "No comment." });
}

function contactMail(
  site: Site,
  { firstName, lastName, email }: Sender,
  {
    subject,
    title,
    text,
    action,
  }: { subject: string; title: string; text: string; action?: { label: string; href: string } },
) {
  return renderMail(
    subject,
    <MailShell
      brand={site.brandName}
      preview={`From ${firstName} ${lastName}`}
      title={title}
      footer="A reply to this email goes to the player."
      {...(action ? { action } : {})}
    >
      <MailText>
        From {`${firstName} ${lastName}`}, {email}
      </MailText>
      <MailText>
        <Lines text={text} />
      </MailText>
    </MailShell>,
  );
}

interface Answer {
  firstName: string;
  subject: string | null;
  original: string | null;
  writtenOn: string;
  answer: string;
  /** "Re:" is of an email that refers to another one. */
  isFirst: boolean;
}

export function answerMail(site: Site, { firstName, subject, original, ...texts }: Answer) {
  const line = subject ?? "Your review";
  return renderMail(
    texts.isFirst ? line : `Re: ${line}`,
    <MailShell
      brand={site.brandName}
      preview={`An answer to what you wrote on ${texts.writtenOn}`}
      title={`About ${subject ? `“${subject}”` : "your review"}`}
      footer="You can reply to this email."
    >
      {!startsWithGreeting(texts.answer) && <MailText>Hi {firstName},</MailText>}
      <MailText>
        <Lines text={texts.answer} />
      </MailText>
      {original && (
        <MailText>
          You wrote on {texts.writtenOn}:
          <br />
          <Lines text={original} />
        </MailText>
      )}
    </MailShell>,
  );
}

interface Statement {
  firstName: string;
  packName: string;
  reference: string;
  statedAt: string;
  creditsCents: number;
  refundCents: number;
}

/** The acknowledgement required by law: what was stated, when, and what happens next. */
export function withdrawalMail(site: Site, statement: Statement) {
  const refund = euros(statement.refundCents);
  return renderMail(
    `We received your withdrawal: ${statement.packName}`,
    <MailShell
      brand={site.brandName}
      preview={`${refund} will be refunded.`}
      title="We received your withdrawal"
      action={{ label: "See your withdrawals", href: emailLink(site, "/settings/withdraw") }}
      footer={`Keep this email as your receipt. Questions: ${site.contactEmail}`}
    >
      <MailText>Hi {statement.firstName},</MailText>
      <MailText>
        On {statement.statedAt} (Helsinki) you stated: “I withdraw from my purchase of{" "}
        {statement.packName} ({statement.reference}), as far as its credits are unused.”
      </MailText>
      <MailText>
        {creditsText(statement.creditsCents)} credits were unused. {refund} will be refunded to your
        means of payment within 14 days. The credits have left your wallet. Until the refund is made
        you can take the withdrawal back, and have them again.
      </MailText>
    </MailShell>,
  );
}

export function withdrawalRejectedMail(site: Site, statement: Statement & { reason: string }) {
  return creditsReturnedMail(
    site,
    { ...statement, title: "Your withdrawal was rejected" },
    <>
      <MailText>
        The withdrawal from your purchase of {statement.packName} ({statement.reference}), which you
        stated on {statement.statedAt} (Helsinki), was rejected:
      </MailText>
      <MailText>
        <Lines text={statement.reason} />
      </MailText>
      <MailText>
        No money is refunded, and its credits are back in your wallet. If you do not agree, reply to
        this email. While the time for a withdrawal runs, you can also state it again.
      </MailText>
    </>,
  );
}

export function withdrawalCancelledMail(site: Site, statement: Statement) {
  return creditsReturnedMail(
    site,
    { ...statement, title: "You took your withdrawal back" },
    <>
      <MailText>
        You took back the withdrawal from your purchase of {statement.packName} (
        {statement.reference}), which you stated on {statement.statedAt} (Helsinki).
      </MailText>
      <MailText>
        No money is refunded, and its credits are back in your wallet. While the time for a
        withdrawal runs, you can state it again.
      </MailText>
    </>,
  );
}

function creditsReturnedMail(
  site: Site,
  { title, firstName, packName }: Statement & { title: string },
  content: ReactNode,
) {
  return renderMail(
    `${title}: ${packName}`,
    <MailShell
      brand={site.brandName}
      preview="The credits are back in your wallet."
      title={title}
      action={{ label: "See your withdrawals", href: emailLink(site, "/settings/withdraw") }}
      footer="You can reply to this email."
    >
      <MailText>Hi {firstName},</MailText>
      {content}
    </MailShell>,
  );
}

export function withdrawalEndedMail(
  site: Site,
  { outcome, ...statement }: Statement & { lastName: string; outcome: "refused" | "taken_back" },
) {
  const refund = euros(statement.refundCents);
  const how = outcome === "refused" ? "rejected" : "taken back";
  return renderMail(
    `Withdrawal ${how}: do not refund ${refund}`,
    <MailShell
      brand={site.brandName}
      preview="The credits are back in the wallet."
      title={`A withdrawal was ${how}`}
      footer="A reply to this email goes to the player."
    >
      <MailText>
        The withdrawal of {statement.firstName} {statement.lastName} from {statement.packName} (
        {statement.reference}), stated on {statement.statedAt}, was {how}.
      </MailText>
      <MailText>
        Do not refund the {refund}. Has it been refunded at Stripe already? Then nothing is to be
        done: the credits are taken back with the refund.
      </MailText>
    </MailShell>,
  );
}

function Lines({ text }: { text: string }) {
  return text.split("\n").map((line, index) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {line}
    </Fragment>
  ));
}
