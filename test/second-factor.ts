import { Secret, TOTP } from "otpauth";
import { beforeAll, beforeEach } from "vitest";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { signIn } from "./visit.ts";
import { type AskSite, openSite } from "./whole-site.ts";
import { NOW } from "./fixtures.ts";
import { addAccount, PASSWORD } from "./accounts.ts";
import { changeRole } from "#app/features/accounts/account-status.server.ts";
import { startTwoFactor } from "#app/features/accounts/two-factor.server.ts";
import type { App } from "#app/routes/context.server.ts";

export const MINUTE = 60_000;
export const form = (fields: Record<string, string>) => new URLSearchParams(fields);
export const location = (response: Response) => response.headers.get("Location");
export const cookieIn = (response: Response, name: string) =>
  response.headers
    .getSetCookie()
    .find((line) => line.startsWith(`kickabout_${name}=`) && !line.includes("Max-Age=0"))
    ?.split(";")[0];

export const RECOVERY_CODES =
  /[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){4}-[0-9a-hjkmnp-tv-z]{3}(?=<)/g;

/** For tests of two-factor sign-in: the whole site, admins who set it up, and a clock to move. */
export function useSecondFactor() {
  const database = useDatabase();
  const scenario = { clock: NOW } as { clock: Date; app: App; site: AskSite };
  beforeAll(async () => {
    scenario.app = testApp(database, () => scenario.clock);
    scenario.site = await openSite(scenario.app);
  });
  beforeEach(() => {
    scenario.clock = NOW;
  });
  const site: AskSite = (...parts) => scenario.site(...parts);
  const codeAt = (key: string, steps = 0) => {
    const timestamp = scenario.clock.getTime() + steps * 30_000;
    return TOTP.generate({ secret: Secret.fromBase32(key), timestamp });
  };
  const later = (ms: number) => (scenario.clock = new Date(scenario.clock.getTime() + ms));

  async function anAdmin() {
    const account = await addAccount(scenario.app);
    await changeRole(scenario.app.db, { userId: account.userId, isAdmin: true, actor: "test" });
    return { ...account, cookie: await signIn(scenario.app, account.userId) };
  }
  type Person = Awaited<ReturnType<typeof anAdmin>>;

  /** Sets up the second factor, without asking for the password; the clock is then past its code. */
  async function setUp(admin: Person, { through = site, started = quickStart(admin) } = {}) {
    const { setup, secret } = started;
    const body = form({ intent: "confirm", setup, code: codeAt(secret) });
    const confirmed = await through("/settings/two-factor", { cookie: admin.cookie, body });
    admin.cookie = cookieIn(confirmed, "session") ?? admin.cookie;
    const page = await confirmed.text();
    const codes = page.match(RECOVERY_CODES) ?? [];
    later(MINUTE);
    return { secret, codes, status: confirmed.status };
  }
  const quickStart = ({ userId }: Person) =>
    startTwoFactor(scenario.app, { userId, replaces: null }, scenario.clock);

  return {
    database,
    get app() {
      return scenario.app;
    },
    site,
    codeAt,
    later,
    anAdmin,
    setUp,
    /** The response to email and password, and the cookie that the browser then has. */
    async givePassword({ email }: { email: string }, redirectTo = "", cookie?: string) {
      const body = form({ intent: "sign-in", email, password: PASSWORD, redirectTo });
      const response = await site("/auth", { body, ...(cookie && { cookie }) });
      return { response, cookie: cookieIn(response, "second-step") ?? "" };
    },
    giveCode: (cookie: string, code: string, redirectTo = "") =>
      site("/auth/code", { cookie, body: form({ code, redirectTo }) }),
    /** What the emails to the owner are about, oldest first. */
    async securityEmails(userId: string) {
      const { rows } = await database.pool.query<{ change: string }>(
        `select data->>'change' as change from pgboss.job
         where name = 'mail.send' and data->>'kind' = 'account-security' and data->>'userId' = $1 order by created_on`,
        [userId],
      );
      return rows.map(({ change }) => change);
    },
    async auditOf(userId: string) {
      const entries = scenario.app.db.selectFrom("audit_log").select(["actor", "action"]);
      return entries.where("subject", "=", userId).orderBy("id").execute();
    },
  };
}
