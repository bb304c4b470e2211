import type { ReactNode } from "react";
import type { Db } from "./db.server.ts";
import type { Env } from "./env.server.ts";
import type { Mail } from "./mail.server.ts";
import type { PushMessage } from "./push.server.ts";

export interface Email extends Pick<Mail, "replyTo" | "thread"> {
  subject: string;
  /** The subject, unless it says otherwise. */
  title?: string;
  /** Beside the subject in lists of emails. */
  preview: string;
  /** Paragraphs, without those that are null or false. */
  text: ReactNode[];
  action?: { label: string; href: string };
  /** After the action, so that the action is an email's first link. */
  below?: ReactNode;
  /** Where to ask, unless it says otherwise; an email that can be switched off says how. */
  footer?: ReactNode;
}

export interface NoticeTools {
  env: Env;
  db: Db;
  /** When it is sent, not when it was queued. */
  now: Date;
  via: "email" | "push";
}

/** Whom it is for: an email needs the address, and one that can be switched off the player. */
interface Recipient {
  email?: string;
  userId?: string;
}

export interface Notice<Kind extends string, Data extends object, Facts extends Recipient> {
  kind: Kind;
  /** What organisers read where its email has failed. */
  label: string;
  /** What turns it off in the settings: a switch of its own, or that of another kind. */
  switchable?: { label: string; hint: string; isForOrganisers?: true } | string;
  /** Its email is about money or what was agreed to: only its push message is switched off. */
  isAlwaysMailed?: true;
  /** Read when it is sent; null if what it is about is gone. */
  facts(data: Data, tools: NoticeTools): Promise<Facts | null | undefined>;
  /** False if there is nothing to say any more. */
  stillTrue?(facts: Facts, data: Data, tools: NoticeTools): boolean;
  /** The same key is the same email (`Mail.key`). */
  key?(data: Data, facts: Facts): string;
  email?(facts: Facts, site: Env, data: Data): Email | null;
  attachments?(facts: Facts, tools: NoticeTools): Promise<Mail["attachments"]>;
  /** Notes that its email is about to be sent; false if it may have been sent already. */
  begin?(data: Data, at: NoticeTools): Promise<boolean>;
  /** Notes what became of its email; `facts` are null where there were none. */
  ended?(
    facts: Facts | null,
    data: Data,
    at: NoticeTools & { result: "sent" | "left-out" | "failed" },
  ): Promise<void>;
  push?: {
    /** What its jobs say of it: see `enqueuePushes`. */
    data(subjectId: string, version: string, userId: string): Data;
    message(facts: Facts, tools: NoticeTools): PushMessage | null;
  };
}

export interface Switch {
  kind: string;
  label: string;
  hint: string;
  /** Absent for players. */
  isForOrganisers?: true;
  isPushOnly: boolean;
  hasNoEmail: boolean;
  hasNoPush: boolean;
}

export const listSwitches = (notices: readonly AnyNotice[]): Switch[] =>
  notices.flatMap(({ kind, switchable, isAlwaysMailed = false, email, push }) => {
    if (typeof switchable !== "object") return [];
    const isPushOnly = isAlwaysMailed || !email;
    return { kind, ...switchable, isPushOnly, hasNoEmail: !email, hasNoPush: !push };
  });

/** The kind whose switch turns a notice off. */
export const switchOf = ({ kind, switchable }: AnyNotice): string | null =>
  typeof switchable === "object" ? kind : (switchable ?? null);

export type AnyNotice = Notice<string, object, Recipient>;

export const defineNotice = <Kind extends string, Data extends object, Facts extends Recipient>(
  notice: Notice<Kind, Data, Facts>,
): Notice<Kind, Data, Facts> => notice;

/** By its kind, what the job of each of these notices carries. */
export type DataOf<Notices extends readonly { kind: string }[]> = {
  [N in Notices[number] as N["kind"]]: N extends Notice<string, infer Data, infer _> ? Data : never;
};

/** The data of all notices, from their declarations (app/notices.server.ts). */
export interface NoticeData {}
export type NoticeKind = keyof NoticeData;
export type NoticeJob = { [Kind in NoticeKind]: { kind: Kind } & NoticeData[Kind] }[NoticeKind];
