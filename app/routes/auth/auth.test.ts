import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { requestContext, testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { addAccount, addSignUp, PASSWORD, waitingJobs } from "#test/accounts.ts";
import { openDatabase } from "#app/platform/db.server.ts";
import { BusyError } from "#app/platform/fair-queue.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { OUR_FAULT, TOO_MANY_SIGN_INS } from "#app/forms/messages.ts";
import type { AuthResult } from "./actions.server.ts";
import { action } from "./auth.tsx";
import { action as requestReset } from "./forgot.tsx";
import { action as reset } from "./reset.tsx";

const database = useDatabase();
let app: App;
let person: Record<string, string>;
beforeAll(() => {
  app = testApp(database);
});
beforeEach(() => {
  person = {
    intent: "sign-up",
    email: `${crypto.randomUUID()}@uni.example`,
    password: "Kickabout1",
    firstName: "Ann",
    lastName: "Lee",
    dateOfBirth: "2000-01-31",
    schoolYear: "Bachelor",
    major: "Physics",
  };
});

interface Posted {
  status: number;
  result: AuthResult;
  headers: Headers;
}

async function post(body: BodyInit, as = app): Promise<Posted> {
  const request = new Request("http://kickabout.test/auth", { method: "POST", body });
  const at = { url: new URL(request.url), pattern: "/auth", params: {} } as const;
  const outcome: unknown = await action({ request, context: requestContext(as), ...at }).catch(
    (thrown: unknown) => thrown,
  );
  if (outcome instanceof Response) {
    return { status: outcome.status, result: {}, headers: outcome.headers };
  }
  const { data, init } = outcome as { data: AuthResult; init: ResponseInit | null };
  return { status: init?.status ?? 200, result: data, headers: new Headers(init?.headers) };
}
const form = (fields: Record<string, string>) => new URLSearchParams(fields);
const signIn = (fields: Record<string, string>, as = app) =>
  post(form({ intent: "sign-in", ...fields }), as);

async function counts() {
  const { rows } = await database.pool.query(
    "select (select count(*) from users) users, (select count(*) from sign_ups) sign_ups, " +
      "(select count(*) from rate_limits where key like 'sign-up:%') counted",
  );
  return rows[0];
}

async function tries() {
  const { rows } = await database.pool.query(
    "select (select sum(points) from rate_limits where key like 'sign-in:%') counted, " +
      "(select sum(failures) from sign_in_failures) failures",
  );
  return rows[0];
}

describe("signing up", () => {
  // spec: 8.1, 8.2, 8.3
  test("the notice has the words of the specification", async () => {
    const first = await post(form(person));
    expect(first.status).toBe(200);
    expect(first.result.notice).toEqual({
      title: "Check your email",
      description: "We sent you a confirmation link.",
    });
    const again = await post(form(person));
    expect(again.result.notice?.description).toBe("We sent you a new confirmation link.");
    for (let n = 0; n < 5; n += 1) expect((await post(form(person))).result).toEqual(again.result);
    const enqueueEmails = () => Promise.reject(new Error("queue down"));
    const failed = await post(form(person), { ...app, jobs: { ...app.jobs, enqueueEmails } });
    expect(failed.status).toBe(422);
    expect(failed.result.formError).toBe(
      "This email is already registered. Please try signing in or contact support.",
    );
  });

  test("fields that are not listed do nothing", async () => {
    const extra = { role: "admin", wallet_balance_eur: "500", email_verified: "true", userId: "1" };
    expect((await post(form({ ...person, ...extra }))).status).toBe(200);
    const roles = await app.db.selectFrom("user_roles").selectAll().execute();
    expect(roles).toEqual([]);
    const users = app.db
      .selectFrom("users")
      .selectAll()
      .where("email", "=", person.email ?? "");
    expect(await users.execute()).toEqual([]);
  });

  const fields = [
    "email",
    "password",
    "firstName",
    "lastName",
    "dateOfBirth",
    "schoolYear",
    "major",
  ];
  const values = { empty: "", long: "x".repeat(5_000), markup: "<b>x</b>", control: "a\u0000b" };
  const cases = fields.flatMap((field) =>
    Object.entries(values).map(([kind, value]) => [field, kind, value] as const),
  );

  // spec: 2.39, 5.11
  test.each(cases)("%s %s: 422, nothing written, not counted", async (field, _, value) => {
    const before = await counts();
    const { status, result } = await post(form({ ...person, [field]: value }));
    expect(status).toBe(422);
    expect(Object.keys(result.fieldErrors ?? {})).toEqual([field]);
    expect(await counts()).toEqual(before);
  });

  test.each(fields)("%s as a file or twice: 422", async (field) => {
    for (const extra of [new File(["x"], "x.txt"), "x"]) {
      const body = new FormData();
      for (const [name, value] of Object.entries(person)) body.set(name, value);
      if (extra instanceof File) body.set(field, extra);
      else body.append(field, extra);
      const { status, result } = await post(body);
      expect(status).toBe(422);
      expect(Object.keys(result.fieldErrors ?? {})).toEqual([field]);
    }
  });

  test("a form that failed comes back filled, without the password", async () => {
    const { result } = await post(form({ ...person, major: "" }));
    expect(result.values).toMatchObject({ firstName: "Ann", schoolYear: "Bachelor" });
    expect(JSON.stringify(result)).not.toContain(person.password);
  });
});

describe("signing in", () => {
  // spec: 7.3
  test("leads to the games, or back to a path of ours, with the cookie", async () => {
    const { email } = await addAccount(app);
    const enter = { email: email.toUpperCase(), password: PASSWORD };
    const { status, headers } = await signIn(enter);
    expect(status).toBe(302);
    expect(headers.get("Location")).toBe("/events");
    expect(headers.getSetCookie()[0]).toMatch(/^kickabout_session=.+HttpOnly/);
    const back = await signIn({ ...enter, redirectTo: "/events/5" });
    expect(back.headers.get("Location")).toBe("/events/5");
    const evil = await signIn({ ...enter, redirectTo: "https://evil.example" });
    expect(evil.headers.get("Location")).toBe("/events");
  });

  // spec: 8.7
  test("a wrong password and an unknown address get the same reason", async () => {
    const { email } = await addAccount(app);
    const wrong = await signIn({ email, password: "Wrong1234" });
    const unknown = await signIn({ email: "nobody@uni.example", password: "Wrong1234" });
    expect(wrong.status).toBe(401);
    expect(wrong.result.formError).toBe("Wrong email or password.");
    expect({ ...unknown, result: { ...unknown.result, values: {} } }).toEqual({
      ...wrong,
      result: { ...wrong.result, values: {} },
    });
    expect(wrong.headers.getSetCookie()).toEqual([]);
  });

  test("too many attempts: 429, Retry-After and the reason", async () => {
    const { email } = await addAccount(app);
    const still = { ...app, now: () => new Date("2026-11-21T12:00:00Z") };
    for (let n = 0; n < 5; n += 1) await signIn({ email, password: "Wrong1234" }, still);
    const { status, headers, result } = await signIn({ email, password: PASSWORD }, still);
    expect(status).toBe(429);
    expect(headers.get("Retry-After")).toBe("1");
    expect(result.formError).toBe("Too many attempts. Try again in 1 second.");
  });

  // spec: 7.2
  test("an unconfirmed sign-up says so and offers the link again", async () => {
    const { email, signUpId } = await addSignUp(app);
    const { status, result } = await signIn({ email, password: PASSWORD });
    expect(status).toBe(401);
    expect(result.formError).toBe("Please confirm your email address first.");
    expect(result.unconfirmed).toEqual({ email, signUpId });
    await addSignUp(app, { email });
    const resent = await post(form({ intent: "resend", email, signUpId }));
    const mails = await waitingJobs(database.pool, "confirm-address");
    expect(mails.filter((mail) => mail.signUpId === signUpId)).toHaveLength(1);
    const stranger = await post(form({ intent: "resend", email: "nobody@uni.example" }));
    expect(resent.status).toBe(200);
    expect(resent.result.notice).toEqual(stranger.result.notice);
  });

  test.each<Record<string, string>>([
    {},
    { email: "x", password: "" },
    { email: `${"x".repeat(250)}@uni.example`, password: "x".repeat(129) },
  ])("%j: 401 with what is wrong where, not counted", async (fields) => {
    const before = await tries();
    const { status, result } = await signIn(fields);
    expect(status).toBe(401);
    expect(Object.keys(result.fieldErrors ?? {})).toEqual(["email", "password"]);
    expect(await tries()).toEqual(before);
  });
});

test.each([
  [new URLSearchParams({ intent: "else" })],
  [new URLSearchParams()],
  [new Blob(["{}"], { type: "application/json" })],
  [new Blob(["zzz"], { type: "multipart/form-data; boundary=x" })],
])("a body that is none of the forms: 400 (%#)", async (body) => {
  expect((await post(body)).status).toBe(400);
});

test("of what was sent only the form's own fields are shown again", async () => {
  const others = { admin: "1", confirmPassword: "Kickabout1", redirectTo: "/wallet" };
  const typed = { email: "a".repeat(20_000), firstName: "<b>" };
  const { result } = await post(form({ ...others, intent: "sign-up", password: "x", ...typed }));
  expect(result.values).toEqual({ email: "a".repeat(10_000), firstName: "<b>" });
});

// spec: 8.4
test("what breaks on our side shows, and what was typed stays", async () => {
  const broken = { ...app, db: app.db.withSchema("nowhere") };
  const { password: _, intent: __, ...typed } = person;
  const up = await post(form(person), broken);
  expect(up).toMatchObject({ status: 500, result: { form: "sign-up", formError: OUR_FAULT } });
  expect(up.result.values).toEqual(typed);
  const enter = { email: person.email ?? "", password: "Kickabout1" };
  const into = await signIn(enter, broken);
  expect(into).toMatchObject({ status: 500, result: { form: "sign-in", formError: OUR_FAULT } });
  expect(into.result.values).toMatchObject({ email: person.email });
  const again = await post(form({ intent: "resend", email: enter.email }), broken);
  expect(again).toMatchObject({ status: 500, result: { form: "resend", formError: OUR_FAULT } });
  const away = openDatabase({ host: "127.0.0.1", port: 1 });
  const site = await openSite({ ...app, db: away.db });
  const body = form({ intent: "sign-in", ...enter });
  const later = await site("/auth", { body });
  expect([later.status, later.headers.get("Retry-After")]).toEqual([503, "10"]);
  expect(await later.text()).toContain(OUR_FAULT);
  await away.close();
  const { email } = enter;
  const asked = await visit(broken, requestReset, { path: "/auth/forgot", body: { email } });
  expect(asked).toMatchObject({ status: 500, data: { formError: OUR_FAULT, values: { email } } });
  const chosen = { token: "any", password: "Kickabout2" };
  const saved = await visit(broken, reset, { path: "/auth/reset", body: chosen });
  expect(saved).toMatchObject({
    status: 500,
    data: { title: "Nothing was changed", formError: OUR_FAULT },
  });
});

test("a sign-in that waits too long in the queue should be tried again", async () => {
  const accounts = {
    ...app.accounts,
    verifyPassword: () => Promise.reject(new BusyError("waited too long")),
  };
  const into = await signIn(
    { email: person.email ?? "", password: "Kickabout1" },
    { ...app, accounts },
  );
  expect(into).toMatchObject({
    status: 503,
    result: { form: "sign-in", formError: TOO_MANY_SIGN_INS },
  });
});
