import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "./db.server.ts";
import { singleFlight } from "./single-flight.server.ts";
import { log, withoutAddresses } from "./log.server.ts";

const PROBE_SECONDS = 30;
const CLOSING = "421";

/** Shared by all processes and logged once. When the outage ends, all waiting mail is sent. */
export function watchOutages<Mail>(
  db: Db,
  send: (mail: Mail) => Promise<void>,
): (mail: Mail) => Promise<void> {
  let wasClosed = false;
  return async (mail) => {
    try {
      await send(mail);
      wasClosed = false;
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      // 421 closes the connection at any command (RFC 5321, section 3.8): for one address, or, where
      // the next mail meets it too, for all.
      const isOnlyThis = error.code === CLOSING && !wasClosed;
      wasClosed = error.code === CLOSING;
      if (error.failure !== "unreachable") await noteContact(db);
      else if (!isOnlyThis) await noteOutage(db, error);
      throw error;
    }
    // The mail has been sent: an error here must not send it again.
    await singleFlight(db, "mail contact", () => noteContact(db)).catch((error: unknown) =>
      log.error({ err: error }, "mail outage"),
    );
  };
}

type Handle = (data: never) => Promise<void>;

/** During an outage one mail is tried every 30 seconds; the others wait for its result. */
export function holdBack<H extends Record<string, Handle>>(db: Db, handlers: H): H {
  const start = oneByOne(db);
  const held = Object.entries(handlers).map(([queue, handle]) => [
    queue,
    async (data: never) => {
      const run = () => handle(data);
      const started = (await start(run)) ?? (await start(run));
      if (!started) throw new MailError("unreachable", "waits for the mail server", "");
      await started.running;
    },
  ]);
  return Object.fromEntries(held) as H;
}

/** One attempt at a time, otherwise null: a later result must not hide one still in progress. */
function oneByOne(db: Db) {
  let asked: Promise<unknown> = Promise.resolve();
  let latest: Promise<unknown> = Promise.resolve();
  const start = (run: () => Promise<void>) => {
    const running = run();
    latest = running.catch(() => {});
    return { running };
  };
  return async (run: () => Promise<void>) => {
    // One statement for a whole batch, as long as there is no outage.
    if (await singleFlight(db, "mail outage", () => isUp(db))) return start(run);
    const answer = asked.then(async () => ((await mayTry(db)) ? start(run) : null));
    asked = answer.catch(() => {});
    const started = await answer;
    if (!started) await latest;
    return started;
  };
}

async function isUp(db: Db): Promise<boolean> {
  const { rows } = await sql`select from mail_outage`.execute(db);
  return rows.length === 0;
}

async function mayTry(db: Db): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    with probe as (
      update mail_outage set probed_at = now(), probes = probes + 1
      where probed_at <= now() - make_interval(secs => ${PROBE_SECONDS}) returning id)
    select exists (select from probe) or not exists (select from mail_outage) as may`.execute(db);
  return rows[0]!.may;
}

async function noteOutage(db: Db, { code, message }: MailError): Promise<void> {
  const { rows } = await sql`
    insert into mail_outage default values on conflict do nothing returning id`.execute(db);
  if (rows.length > 0)
    log.error({ code, reason: message }, "mail server accepts no emails; they wait");
  // When the server may be tried again, one mail must be due, whatever the delays.
  await sql`
    update pgboss.job set start_after = now() + make_interval(secs => ${PROBE_SECONDS})
    where id = (select id from pgboss.job where state = 'retry' and name like 'mail.%'
      order by created_on limit 1 for update skip locked)`.execute(db);
}

/** A mail whose sending began before the outage does not end it. */
async function noteContact(db: Db): Promise<void> {
  const { rows } = await sql<{ seconds: number; probes: number }>`
    delete from mail_outage where probes > 0
    returning extract(epoch from now() - began_at)::int as seconds, probes`.execute(db);
  if (!rows[0]) return;
  const { numAffectedRows: released } = await sql`
    update pgboss.job set start_after = now()
    where state = 'retry' and start_after > now() and name like 'mail.%'`.execute(db);
  log.info({ ...rows[0], released: Number(released) }, "mail server accepts emails again");
}

export async function findOutage(db: Db): Promise<{ since: Date; waiting: number } | null> {
  const { rows } = await sql<{ since: Date; waiting: number }>`
    select began_at as since, (select count(*)::int from pgboss.job
      where name like 'mail.%' and state in ('created', 'retry', 'active')) as waiting
    from mail_outage`.execute(db);
  return rows[0] ?? null;
}

/** "rejected": never this mail. "deferred": not now. "unreachable": no mail of ours at all. */
type MailFailure = "rejected" | "deferred" | "unreachable";

export class MailError extends Error {
  override readonly name = "MailError";
  readonly failure: MailFailure;
  readonly code: string;

  constructor(failure: MailFailure, message: string, code: string) {
    super(message);
    this.failure = failure;
    this.code = code;
  }
}

const LONGEST = 300;
/** No mail passes before we are authenticated (RFC 4954, section 6). */
const AUTH_REPLIES = new Set([530, 534, 535, 538]);
const ABOUT_THE_MAIL = new Set(["RCPT TO", "DATA"]);

const text = z.string().optional().catch(undefined);
const FIELDS = z.object({
  code: text,
  command: text,
  response: text,
  responseCode: z.number().optional().catch(undefined),
  message: z.string(),
});

export function readMailError(error: unknown): MailError {
  const fields = FIELDS.parse(error instanceof Error ? error : { message: String(error) });
  const { code, responseCode, response, message } = fields;
  const reason = withoutAddresses(response ?? message)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, LONGEST);
  return new MailError(failureOf(fields), reason, String(responseCode ?? code ?? "unknown"));
}

function failureOf({ code, command, responseCode }: z.infer<typeof FIELDS>): MailFailure {
  // Found before sending: no server would accept this address or message.
  if (!responseCode && code === "EMESSAGE") return "rejected";
  if (!responseCode && code === "EENVELOPE" && command === "API") return "rejected";
  if (!responseCode || !command || !ABOUT_THE_MAIL.has(command)) return "unreachable";
  if (responseCode === Number(CLOSING) || AUTH_REPLIES.has(responseCode)) return "unreachable";
  return responseCode >= 500 ? "rejected" : "deferred";
}
