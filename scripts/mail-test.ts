import { randomUUID } from "node:crypto";
import { readEnv } from "#app/platform/env.server.ts";
import { MailError } from "#app/platform/mail-outage.server.ts";
import { createMailer } from "#app/platform/mail.server.ts";
import { readArgument } from "./arguments.ts";
import { fail, say } from "./command.ts";

const to = readArgument("npm run mail:test -- ADDRESS");

// Not a command on the database, which is another thing that may be wrong.
try {
  const env = readEnv();
  const text = `The mail server of ${env.appUrl} takes emails.`;
  const subject = `${env.brandName}: a test`;
  await createMailer(env)({ key: randomUUID(), to, subject, text, html: `<p>${text}</p>` });
  const taken = env.smtpUrl ? "Handed to the mail server" : "Written into the outbox";
  say(`${taken}: look for “${subject}” at ${to}`);
} catch (error) {
  if (!(error instanceof MailError)) fail(error);
  else fail(new Error(`The mail server accepts no emails: ${error.code} ${error.message}`));
}
