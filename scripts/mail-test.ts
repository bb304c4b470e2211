import { randomUUID } from "node:crypto";
import dns from "node:dns/promises";
import { readEnv } from "#app/platform/env.server.ts";
import { MailError } from "#app/platform/mail-outage.server.ts";
import { createMailer } from "#app/platform/mail.server.ts";
import { misused, readOptions } from "./arguments.ts";
import { fail, say } from "./command.ts";
import { describeMailRecords } from "./mail-records.ts";

const USAGE = "npm run mail:test -- ADDRESS [--dkim SELECTOR]";
const options = { dkim: { type: "string" } } as const;
const { values, positionals } = readOptions(USAGE, { options, allowPositionals: true });
const [to, ...others] = positionals;
if (!to || others.length > 0 || values.dkim === "") misused(USAGE);

// Not a command on the database, which is another thing that may be wrong.
try {
  const env = readEnv();
  const text = `The mail server of ${env.appUrl} takes emails.`;
  const subject = `${env.brandName}: a test`;
  await createMailer(env)({ key: randomUUID(), to, subject, text, html: `<p>${text}</p>` });
  const taken = env.smtpUrl ? "Handed to the mail server" : "Written into the outbox";
  say(`${taken}: look for “${subject}” at ${to}`);
  const [, domain = ""] = /@([^\s@>]+)>?\s*$/.exec(env.mailFrom) ?? [];
  const asked = { domain: domain.toLowerCase(), selector: values.dkim, contact: env.contactEmail };
  if (env.smtpUrl) for (const line of await describeMailRecords(dns, asked)) say(line);
} catch (error) {
  if (!(error instanceof MailError)) fail(error);
  else fail(new Error(`The mail server accepts no emails: ${error.code} ${error.message}`));
}
