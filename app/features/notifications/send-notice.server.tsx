import { Fragment, isValidElement, type ReactNode } from "react";
import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobData } from "#app/platform/jobs.server.ts";
import { MailError } from "#app/platform/mail-outage.server.ts";
import { type Mailer, renderMail } from "#app/platform/mail.server.ts";
import {
  type AnyNotice,
  type Email,
  listSwitches,
  type NoticeKind,
  type NoticeTools,
  switchOf,
} from "#app/platform/notices.ts";
import { createPush } from "#app/platform/push.server.ts";
import { MailLink } from "#app/ui/mail-parts.tsx";
import { MailRows, MailShell, MailText } from "#app/ui/mail-shell.tsx";
import { findDevice, deleteDevice } from "./devices.server.ts";
import { findEmailSwitch, unsubscribeLink } from "./settings.server.ts";

declare module "#app/platform/jobs.server.ts" {
  interface JobData {
    "push.send": {
      subscriptionId: string;
      kind: NoticeKind;
      subjectId: string;
      version: string;
    };
  }
}

export interface NoticeSenders {
  env: Env;
  db: Db;
  mailer: Mailer;
  now: () => Date;
}

/** Handlers of the queues of emails, to be held back while no mail can be sent. */
export function emailJobs(tools: NoticeSenders, notices: readonly AnyNotice[]) {
  const labels = new Map(listSwitches(notices).map(({ kind, label }) => [kind, label]));
  const labelOf = (kind: string) => labels.get(kind) ?? "";
  const send = async ({ kind, ...data }: { kind: string }) => {
    const notice = notices.find((one) => one.kind === kind);
    if (!notice) throw new Error(`${kind}: no email of this version`);
    await sendEmail({ ...tools, labelOf }, notice, data);
  };
  return {
    "mail.send": send,
    "mail.news": send,
    "mail.important-announcement": send,
    // A job of an earlier version does not say its kind.
    "mail.account-deleted": (data: object) => send({ ...data, kind: "account-deleted" }),
  };
}

type EmailTools = NoticeSenders & { labelOf(kind: string): string };

async function sendEmail(senders: EmailTools, notice: AnyNotice, data: object): Promise<void> {
  const { env, db } = senders;
  const tools = { env, db, now: senders.now(), via: "email" } as const;
  const facts = (await notice.facts(data, tools)) ?? null;
  const isTrue = facts !== null && notice.stillTrue?.(facts, data, tools) !== false;
  const note = async (result: "sent" | "left-out" | "failed") =>
    notice.ended?.(facts, data, { ...tools, result });
  try {
    const isSent = isTrue && (await sendWanted(senders, notice, data, facts, tools));
    await note(isSent ? "sent" : "left-out");
  } catch (error) {
    if (error instanceof MailError) await note("failed");
    throw error;
  }
}

/** False if the player has switched it off, there is nothing to say, or it may have been said. */
async function sendWanted(
  { env, db, mailer, labelOf }: EmailTools,
  notice: AnyNotice,
  data: object,
  facts: Parameters<NonNullable<AnyNotice["email"]>>[0],
  tools: NoticeTools,
): Promise<boolean> {
  const { email: to, userId = "" } = facts;
  const kind = notice.isAlwaysMailed ? null : switchOf(notice);
  const choice = kind === null ? null : { userId, kind };
  if (choice && !(await findEmailSwitch(db, choice))?.isOn) return false;
  const email = notice.email?.(facts, env, data);
  const key = notice.key?.(data, facts);
  if (!email) return false;
  if (!to || !key) throw new Error(`${notice.kind}: an email without address or key`);
  const unsubscribe = choice && { ...unsubscribeLink(env, choice), label: labelOf(choice.kind) };
  const { replyTo, thread, ...content } = email;
  const mail = {
    ...(await renderEmail(env, content, unsubscribe)),
    ...{ to, key },
    ...(replyTo && { replyTo }),
    ...(thread && { thread }),
    ...(unsubscribe && { headers: unsubscribe.headers }),
    ...(await attach(notice, facts, tools)),
  };
  if ((await notice.begin?.(data, tools)) === false) return false;
  await mailer(mail);
  return true;
}

async function attach(
  notice: AnyNotice,
  ...about: Parameters<NonNullable<AnyNotice["attachments"]>>
) {
  const attachments = await notice.attachments?.(...about);
  return attachments && { attachments };
}

type Site = Pick<Env, "brandName" | "contactEmail">;
type Unsubscribe = { url: string; label: string } | null;

export function renderEmail(site: Site, email: Email, unsubscribe: Unsubscribe = null) {
  const { subject, title = subject, text, footer, ...shell } = email;
  const questions = `Questions: ${site.contactEmail}`;
  const foot = unsubscribe ? turnOff(questions, unsubscribe) : (footer ?? questions);
  return renderMail(
    subject,
    <MailShell brand={site.brandName} title={title} footer={foot} {...shell}>
      {text.map((part, n) => part && <Part key={n} part={part} />)}
    </MailShell>,
  );
}

/** A table is no paragraph. */
function Part({ part }: { part: ReactNode }) {
  if (isValidElement(part) && part.type === MailRows) return part;
  return <MailText>{inLines(part)}</MailText>;
}

function inLines(part: ReactNode): ReactNode {
  if (typeof part !== "string") return part;
  return part.split("\n").map((line, n) => (
    <Fragment key={n}>
      {n > 0 && <br />}
      {line}
    </Fragment>
  ));
}

const turnOff = (questions: string, { url, label }: NonNullable<Unsubscribe>) => (
  <>
    {questions}
    <br />
    You get this because “{label}” is on in your settings.{" "}
    <MailLink href={url}>Turn these emails off</MailLink>
  </>
);

type PushSenders = Omit<NoticeSenders, "mailer">;

/** Sends notices' push messages to one device each. */
export function createPushSender(tools: PushSenders, notices: readonly AnyNotice[]) {
  const push = createPush(tools.env);
  return async (job: JobData["push.send"]): Promise<void> => {
    const { subscriptionId, subjectId, version } = job;
    const [kind, now] = [kindOf(job), tools.now()];
    const notice = notices.find((one) => one.kind === kind);
    if (!notice?.push) throw new Error(`${kind}: no push message of this version`);
    const device = await findDevice(tools.db, subscriptionId, switchOf(notice) ?? kind, now);
    if (!push || !device) return;
    const message = await composePush(tools, notice, [subjectId, version, device.userId]);
    if (!message || message.until <= now) return;
    const outcome = await push(device, message, now);
    if (outcome === "gone") await deleteDevice(tools.db, subscriptionId);
  };
}

/** Null if there is nothing to say any more, by the `facts` and `stillTrue` of its kind. */
export async function composePush(
  { env, db, now }: PushSenders,
  { push, facts: find, stillTrue }: AnyNotice,
  about: [subjectId: string, version: string, userId: string],
) {
  const tools = { env, db, now: now(), via: "push" } as const;
  const data = push!.data(...about);
  const facts = await find(data, tools);
  if (!facts || stillTrue?.(facts, data, tools) === false) return null;
  return push!.message(facts, tools);
}

/** In jobs of an earlier version, how a cancelled game and one that is played anyway were named. */
function kindOf({ kind, version }: JobData["push.send"]): NoticeKind {
  if (kind !== "game-changed") return kind;
  if (version === "cancelled") return "game-cancelled";
  return version.startsWith("on-") ? "played-anyway" : kind;
}
