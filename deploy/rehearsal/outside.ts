import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { createFakeStripe, stripeModule } from "#test/fake-stripe-server.ts";

export type Outside = Awaited<ReturnType<typeof openOutside>>;

interface Mail {
  to: string;
  source: string;
}

const SMTP_PORT = 2525;
const STRIPE_PORT = 2526;

/** What is on the internet: a mail provider that keeps every email, and Stripe. */
export async function openOutside() {
  const taken: Mail[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, { envelope }, done) {
      let source = "";
      stream.on("data", (chunk: Buffer) => (source += chunk.toString()));
      stream.on("end", () => {
        taken.push({ to: envelope.rcptTo[0]!.address, source });
        done();
      });
    },
  });
  smtp.listen(SMTP_PORT, "127.0.0.1");
  await once(smtp.server, "listening");
  const { fake, server } = createFakeStripe();
  server.listen(STRIPE_PORT, "127.0.0.1");
  await once(server, "listening");
  const subjectsTo = async (email: string) => {
    const mails = taken.filter(({ to }) => to === email);
    return (await Promise.all(mails.map(({ source }) => PostalMime.parse(source)))).map(
      ({ subject = "" }) => subject,
    );
  };
  return { stripe: fake, mails: { linkTo: (email: string) => linkTo(taken, email), subjectsTo } };
}

async function linkTo(taken: Mail[], email: string): Promise<string> {
  for (let tries = 0; tries < 300; tries += 1) {
    const mail = taken.findLast(({ to }) => to === email);
    const { text } = mail ? await PostalMime.parse(mail.source) : {};
    const [link] = text?.match(/https:\/\/\S+/) ?? [];
    if (link) return link;
    await delay(100);
  }
  throw new Error(`no email to ${email} within 30 seconds`);
}

export const STRIPE_MODULE = stripeModule(STRIPE_PORT);
