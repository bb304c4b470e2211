import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import { useDatabase } from "#test/db.ts";
import { ben } from "#test/fixtures.ts";
import { openDnsServer } from "#test/dns-server.ts";
import { openMailServer } from "#test/mail-server.ts";
import { urlOf } from "#test/postgres.ts";
import { isLong } from "#test/long.ts";
import { runScript } from "#test/commands.ts";

const database = useDatabase();

const command = (script: string, ...args: string[]) => commandWith({}, script, ...args);

const commandWith = (env: Record<string, string>, script: string, ...args: string[]) =>
  runScript(script, args, { env: { DATABASE_URL: urlOf(database.connection), ...env } });

test("check:ledger --quiet prints nothing but differences", async () => {
  const userId = await ben(database.db);
  await topUp(database.db, { userId, amountCents: 500, key: "quiet" });
  expect(await command("check-ledger.ts")).toEqual({
    ...{ code: 0, problems: "" },
    out: expect.stringMatching(/^The books are right: /),
  });
  expect(await command("check-ledger.ts", "--quiet")).toEqual({ code: 0, out: "", problems: "" });
  await database.pool.query("alter table profiles disable trigger all");
  await database.pool.query("update profiles set wallet_balance_eur = 6 where user_id = $1", [
    userId,
  ]);
  const wrong = await command("check-ledger.ts", "--quiet");
  expect(wrong).toMatchObject({ code: 1, problems: "" });
  expect(wrong.out).toContain(userId);
});

test("make-admin says whether an address is unknown or only not confirmed", async () => {
  await database.db
    .insertInto("sign_ups")
    .values({
      email: "new@uni.example",
      person_email: "new@uni.example",
      password_hash: "none",
      first_name: "New",
      last_name: "Organiser",
      date_of_birth: "2000-01-01",
      school_year: "Master",
      major: "Physics",
    })
    .execute();
  expect(await command("make-admin.ts", "New@uni.example")).toEqual({
    ...{ code: 1, out: "" },
    problems:
      "New@uni.example has signed up, but the address is not confirmed: open the link in the email first\n",
  });
  expect(await command("make-admin.ts", "nobody@uni.example")).toEqual({
    ...{ code: 1, out: "", problems: "No account has the address nobody@uni.example\n" },
  });
  const users = database.db.selectFrom("users").select("email");
  const { email } = await users.where("id", "=", await ben(database.db)).executeTakeFirstOrThrow();
  const admin = await command("make-admin.ts", email);
  expect(admin).toEqual({ code: 0, out: `${email} is an admin\n`, problems: "" });
});

test("a command that finds no database makes none", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "kickabout-none-"));
  const dataDir = path.join(folder, "data");
  for (const script of [
    "check-ledger.ts",
    ...(isLong ? ["backup.ts", "stripe-reconcile.ts"] : []),
  ]) {
    const rejected = await commandWith({ DATABASE_URL: "", DATA_DIR: dataDir }, script);
    expect(rejected).toEqual({
      ...{ code: 1, out: "" },
      problems: `No database is in ${dataDir}: set DATABASE_URL or DATA_DIR\n`,
    });
  }
  expect(existsSync(dataDir)).toBe(false);
  rmSync(folder, { recursive: true });
});

test("mail:test hands over one email, or says what the mail server says", async () => {
  const server = await openMailServer();
  const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-mail-"));
  const env = { DEMO: "1", DATA_DIR: dataDir, SMTP_URL: server.url };
  const send = () => commandWith(env, "mail-test.ts", "ops@kickabout.example");
  try {
    const out =
      "Handed to the mail server: look for “Kickabout: a test” at ops@kickabout.example\n";
    expect(await send()).toEqual({ code: 0, out, problems: "" });
    expect(server.offered("ops")).toBe(1);
    expect(server.taken).toHaveLength(1);
    server.mood.auth = 535;
    const rejected = await send();
    expect(rejected).toMatchObject({ code: 1, out: "" });
    expect(rejected.problems).toMatch(/^The mail server accepts no emails: 535\b.*\n$/);
    expect(await commandWith({}, "mail-test.ts", "ops@kickabout.example")).toMatchObject({
      code: 1,
      problems: expect.stringContaining("SMTP_URL"),
    });
  } finally {
    await server.close();
    rmSync(dataDir, { recursive: true });
  }
});

test("mail:test says which DNS records the domain of MAIL_FROM lacks", async () => {
  const [server, dns] = await Promise.all([openMailServer(), openDnsServer()]);
  onTestFinished(() => server.close());
  onTestFinished(() => dns.close());
  dns.texts = { "uni.fi": ["v=spf1 include:mail.uni.fi -all"], "k1._domainkey.uni.fi": ["p=KEY"] };
  const asksHere = `import { setServers } from "node:dns/promises"; setServers(["${dns.address}"])`;
  const env = {
    ...{ DEMO: "1", SMTP_URL: server.url, MAIL_FROM: "Kickabout <no-reply@Uni.fi>" },
    CONTACT_EMAIL: "hello@uni.fi",
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(asksHere)}`,
  };
  const { code, out } = await commandWith(env, "mail-test.ts", "ops@uni.fi", "--dkim", "k1");
  expect(code).toBe(0);
  expect(out.split("\n").slice(1)).toEqual([
    'SPF is there: uni.fi "v=spf1 include:mail.uni.fi -all"',
    "DKIM is there: k1._domainkey.uni.fi",
    'DMARC is missing: add the TXT record: _dmarc.uni.fi "v=DMARC1; p=quarantine; rua=mailto:hello@uni.fi"',
    "",
  ]);
});

test("a command whose queues cannot be opened says why and ends", async () => {
  const userId = await ben(database.db);
  const users = database.db.selectFrom("users").select("email");
  const { email } = await users.where("id", "=", userId).executeTakeFirstOrThrow();
  await database.pool.query(`
    create function deny() returns trigger language plpgsql as
      $$ begin raise exception 'permission denied for table queue'; end $$;
    create trigger deny before update of retry_limit on pgboss.queue
      for each row execute function deny()`);
  try {
    const problems = expect.stringMatching(/^permission denied for table queue\n$/m);
    const rejected = { code: 1, out: "", problems };
    expect(await command("grant.ts", email, "5", "a prize")).toEqual(rejected);
    if (!isLong) return;
    expect(await command("db-migrate.ts")).toEqual(rejected);
    expect(await command("reset-two-factor.ts", email)).toEqual(rejected);
  } finally {
    await database.pool.query("drop function deny cascade");
  }
});
