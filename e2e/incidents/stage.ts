import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { parseEnv } from "node:util";
import Stripe from "stripe";
import { fieldsOfForm } from "#app/canary.server.ts";
import { openSession } from "#app/features/accounts/sessions.server.ts";
import { connect } from "#app/platform/connect.server.ts";
import { readEnv } from "#app/platform/env.server.ts";
import { signInCookie } from "#app/routes/cookies.server.ts";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import { createFakeStripe, stripeModule } from "#test/fake-stripe-server.ts";
import { openMailServer } from "#test/mail-server.ts";
import { readScrape, type Sample } from "#test/scrapes.ts";
import { installServer, removeServer, type ServerOptions } from "./server.ts";
import { fillIn, type Values } from "./substitutes.ts";
import { openUnits } from "./units.ts";

export type Stage = Awaited<ReturnType<typeof openStage>>;

export interface Reply {
  status: number;
  body: string;
  location: string;
}

/**
 * A server as docs/deploy.md sets it up, in a folder of this machine: PostgreSQL, two web processes and
 * a worker of the production build, with a mail server and Stripe around them.
 */
export async function openStage(options: ServerOptions = {}) {
  const root = fs.mkdtempSync(path.join(tmpdir(), "kickabout-incidents-"));
  fs.chmodSync(root, 0o755);
  const at = (...names: string[]) => path.join(root, ...names);
  const { bin, disk, postgres } = await installServer(root, options);
  const enter = disk?.enter ?? [];
  const mail = await openMailServer();
  const { fake: stripe, server: stripeServer } = createFakeStripe();
  stripeServer.listen(0, "127.0.0.1");
  await once(stripeServer, "listening");
  const stripePort = (stripeServer.address() as AddressInfo).port;
  fs.writeFileSync(at("stripe.mjs"), stripeModule(stripePort));
  const databaseUrl = postgres.url("kickabout", "kickabout");
  const others = { "postgresql@17-main": { start: postgres.start, stop: postgres.stop } };
  const units = await openUnits(root, others, enter);
  writeEnv({
    ...{ APP_URL: units.url, HOST: "127.0.0.1", DRAIN_SECONDS: "1", DEMO: "0", TRUST_PROXY: "1" },
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: at("var/lib/kickabout"), POOL_MAX: "8" },
    ...{ SMTP_URL: mail.url, MAIL_FROM: "Kickabout <no-reply@kickabout.example>" },
    ...{ STRIPE_SECRET_KEY: "sk_test_KEY", STRIPE_WEBHOOK_SECRET: "whsec_old" },
    ...{ SCHOOL_EMAIL_DOMAINS: "uni.example", SESSION_SECRET: randomBytes(32).toString("hex") },
    ...{ BRAND_NAME: "Kickabout", COMPANY_NAME: "Kickabout Oy", UNIVERSITY_NAME: "Example" },
    CONTACT_EMAIL: "hello@kickabout.example",
  });
  fs.symlinkSync(at("etc/kickabout.env"), at(".env"));
  // The first one migrates.
  await units.run("start kickabout-web@3001");
  await units.run("start kickabout-web@3002 kickabout-worker");
  const open = () => connect({ databaseUrl, dataDir: root });
  let database = await open();
  const superuser = { connectionString: postgres.url("kickabout") };

  function readSettings() {
    return parseEnv(fs.readFileSync(at("etc/kickabout.env"), "utf8")) as Record<string, string>;
  }
  function writeEnv(settings: Record<string, string>) {
    fs.mkdirSync(at("etc"), { recursive: true });
    const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
    fs.writeFileSync(at("etc/kickabout.env"), lines.join(""));
  }

  /** Runs a command of the page; a step without one is done by the test. */
  async function run(command: string | undefined, values: Values = {}) {
    const filled = fillIn(command!, { root, ports: units.ports, values });
    const env = { PATH: `${bin}:${process.env.PATH}`, LANG: "C.UTF-8" };
    const [program = "", ...args] = [...enter, "bash", "-c", filled];
    const child = spawn(program, args, {
      ...{ cwd: root, env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = once(child, "close");
    const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [status] = (await ended) as [number | null];
    process.stdout.write(
      `  $ ${command}\n    ${status}: ${(out + problems).trim().slice(0, 160)}\n`,
    );
    return { status, out, problems };
  }

  async function cookieOf(userId: string): Promise<string> {
    return (
      await signInCookie(readEnv(readSettings()), await openSession(database.db, userId))
    ).split(";")[0]!;
  }

  async function ask(
    where: string,
    { cookie = "", ...init }: RequestInit & { cookie?: string } = {},
  ) {
    const response = await fetch(new URL(where, units.url), {
      ...init,
      redirect: "manual",
      headers: { ...(init.headers as Record<string, string>), Cookie: cookie },
    });
    const { status, headers } = response;
    return { status, body: await response.text(), location: headers.get("Location") ?? "" };
  }

  /** What Prometheus would read of the three processes, with labels of its own. */
  async function scrape(): Promise<Sample[]> {
    const ports = [13001, 13002, 13009].map((port) => units.ports[port]);
    const scraped = ports.map(async (port) => {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => null);
      const up = { name: "up", labels: {}, value: response?.ok ? 1 : 0 };
      const samples = [up, ...(response ? readScrape(await response.text()) : [])];
      const target = { job: "kickabout", instance: `127.0.0.1:${port}` };
      return samples.map((each) => ({ ...each, labels: { ...each.labels, ...target } }));
    });
    return (await Promise.all(scraped)).flat();
  }

  return {
    ...{ root, at, disk, postgres, superuser, units, mail, stripe, stripePort },
    get database() {
      return database;
    },
    /** For a restore in the database's place, which allows no other connection. */
    closeDatabase: () => database.close(),
    openDatabase: async () => void (database = await open()),
    /** All at once: its processes, PostgreSQL and its disk. What is around it stays. */
    async lose() {
      await units.kill();
      await database.close();
      postgres.kill();
      removeServer(root);
    },
    /** Another server of the same name, as far as section 3 of docs/deploy.md. */
    install: () => installServer(root, options),
    ...{ run, ask, scrape, cookieOf, env: () => readEnv(readSettings()) },
    change: (settings: Record<string, string>) => writeEnv({ ...readSettings(), ...settings }),
    post: (where: string, cookie: string, form: Record<string, string>) =>
      ask(where, { cookie, method: "POST", body: new URLSearchParams(form) }),
    /** Sends the form of that page with this intent, as it is there and with what is typed. */
    async submit(
      where: string,
      cookie: string,
      intent: string,
      typed: Record<string, string> = {},
    ) {
      const form = fieldsOfForm((await ask(where, { cookie })).body, intent);
      for (const [name, value] of Object.entries(typed)) form.set(name, value);
      return ask(where, { cookie, method: "POST", body: form });
    },
    /** As Stripe delivers an event, once. */
    async deliver(sent: SentEvent, secret = "whsec_old") {
      const payload = JSON.stringify(sent);
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
      const headers = { "Content-Type": "application/json", "Stripe-Signature": signature };
      return (await ask("/webhooks/stripe", { method: "POST", headers, body: payload })).status;
    },
    async close() {
      await database.close().catch(() => {});
      await units.close();
      await mail.close();
      stripeServer.closeAllConnections();
      stripeServer.close();
      try {
        postgres.stop();
      } catch {
        // It may be what is down.
      }
      await disk?.close();
      fs.rmSync(root, { recursive: true, force: true });
    },
  };
}
