import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import { addAccount } from "#test/accounts.ts";
import { isLong } from "#test/long.ts";
import { testApp } from "#test/app.ts";
import { NOW } from "#test/fixtures.ts";
import { type MarkupScenario, markupScenario, useSite } from "#test/markup-scenario.ts";
import { digestRows, keepRows } from "#test/kept-rows.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { fillIn, type FoundForm, kindOf, shownFacts, withOtherFacts } from "#test/page-forms.ts";
import { FOR_ANYONE, FORM_FACTS, SENDERS, SHOWN_FACTS, WITHOUT_FACTS } from "#test/post-forms.ts";
import { signIn } from "#test/visit.ts";
import { REOPENED_COOKIE } from "#app/forms/account-watch.ts";
import type { App } from "./context.server.ts";

// LONG=1 sends all of them without the account; otherwise a few of each area.

const database = useSite();
withoutTimeouts(database);
const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-page-account-"));
let app: App;
let scenario: MarkupScenario;
/** Account signed in in another tab: an organiser with credits, who may do what the others may. */
let cookie: string;
/** What forms are filled in with that find something by it. */
const given = { who: "", password: "Another-Password-1" };
beforeAll(async () => {
  const plain = testApp(database, () => NOW);
  app = { ...plain, env: { ...plain.env, dataDir } };
  const { userId, email } = await addAccount(app);
  given.who = email;
  await makeAdmin(app.db, email, "test");
  const profile = app.db.updateTable("profiles").set({ first_name: "Helmi" });
  await profile.where("user_id", "=", userId).execute();
  await topUp(app.db, { userId, amountCents: 50_00, at: NOW, key: "test" });
  cookie = await signIn(app, userId);
  scenario = await markupScenario(app);
  await keepRows(app.db);
});
afterAll(() => rmSync(dataDir, { recursive: true }));

const digest = () => digestRows(app.db);

type Posted = MarkupScenario["forms"][number];
const forms = () => scenario.forms.filter(({ form }) => form.isPost);
const isForAnyone = ({ form }: Posted) => FOR_ANYONE.some((path) => form.path.startsWith(path));
const kind = (form: FoundForm) => kindOf(form).replace("account,", "");

async function send({ form }: Posted, without: string[] = []) {
  const fields = fillIn(form, {}).filter(([name]) => !without.includes(name));
  const multipart = new FormData();
  for (const [name, value] of fields) multipart.append(name, value);
  return scenario.ask(form.path, {
    cookie,
    body: form.isMultipart ? multipart : new URLSearchParams(fields),
  });
}

test("every form that posts names the account that its page was made for", () => {
  const wrong = forms().filter(({ viewer, form }) => {
    const named = form.fields.filter(({ name }) => name === "account").map(({ value }) => value);
    return named.join() !== (scenario.userIds[viewer] ?? "visitor");
  });
  expect(wrong.map(({ form }) => kindOf(form))).toEqual([]);
  expect(forms().length).toBeGreaterThan(90);
});

test("a form of another account's page is rejected, changes no row and says who is signed in", async () => {
  const done: string[] = [];
  const seen = new Set<string>();
  for (const one of forms().filter((each) => !isForAnyone(each))) {
    // What looking at it changes, such as messages that are read.
    if (!seen.has(one.form.path)) await scenario.ask(one.form.path, { cookie });
    seen.add(one.form.path);
    const before = await digest();
    const response = await send(one);
    const html = await response.text();
    const says = html.includes("You are signed in as Helmi now. Nothing was done.");
    if (response.status !== 409 || !says || (await digest()) !== before) {
      done.push(`${one.viewer} ${kind(one.form)}: ${response.status}`);
      await scenario.restore();
    }
  }
  expect(done).toEqual([]);
});

test("the same forms without the account act for the account that is signed in", async () => {
  await scenario.restore();
  const before = await digest();
  const acted = new Set<string>();
  const all = forms().filter((each) => !isForAnyone(each));
  for (const one of isLong ? all : all.filter(({ form }) => ACT.some((act) => isOf(form, act)))) {
    const { status } = await send(one, ["account", "formKey"]);
    if ((await digest()) === before) continue;
    if (status < 400) acted.add(kind(one.form));
    await scenario.restore();
  }
  const silent = ACT.filter((act) => ![...acted].some((done) => isKind(done, act)));
  expect(silent).toEqual([]);
  expect(acted.size).toBeGreaterThan(isLong ? 60 : 12);
});

// Forms that the check holds back.
const ACT = [
  "/events/:id intent=join",
  "/events/:id intent=wait",
  "/events/:id/chat intent=send",
  "/profile intent=edit-profile",
  "/profile/player-card intent=share",
  "/settings/contact-support",
  "/settings/notifications intent=save",
  "/settings/sessions intent=end-others",
  "/sign-out",
  "/admin/games/:id intent=attendance",
  "/admin/games/:id intent=cancel",
  "/admin/players/:id intent=suspend",
  "/admin/venues/:id intent=hide",
];

const REFUSED = "This page was opened for another account.";
const NAME = { intent: "edit-profile", firstName: "Quillonia", lastName: "" };
const post = (fields: [string, string][] | Record<string, string>, as = cookie, to = "/profile") =>
  scenario.ask(to, { cookie: as, body: new URLSearchParams(fields) });

test("what was typed for another account is not shown to who is signed in", async () => {
  const account = scenario.userIds.player!;
  const html = await (await post({ ...NAME, account })).text();
  expect(html).toContain(REFUSED);
  expect(html).toContain('value="Helmi"');
  expect(html).not.toContain("Quillonia");
});

test("a second name beside one's own, and a visitor's page, are rejected too", async () => {
  const own = scenario.userIds.admin!;
  const as = scenario.cookies.admin!;
  const other: [string, string] = ["account", scenario.userIds.player!];
  const twice = [...Object.entries(NAME), ["account", own] as [string, string], other];
  expect((await post(twice, as)).status).toBe(409);
  expect((await post({ ...NAME, account: "visitor" }, as)).status).toBe(409);
  expect((await post({ ...NAME, account: own }, as)).status).toBe(422);
});

test("after signing out, a form leads to signing in as before", async () => {
  const account = scenario.userIds.player!;
  const gone = await post({ intent: "join", account }, "", `/events/${NOWHERE}`);
  expect(gone.status).toBe(302);
  expect(gone.headers.get("Location")).toContain("/auth?redirectTo=");
});
const NOWHERE = "00000000-0000-4000-8000-000000000000";

test("the router's client gets no page, and the one that it opens then says so, once", async () => {
  const account = scenario.userIds.player!;
  const rejected = await post({ ...NAME, account }, cookie, "/profile.data");
  expect(rejected.status).toBe(409);
  const set = rejected.headers.getSetCookie().map((line) => line.split(";")[0]);
  const next = await scenario.ask("/profile", { cookie: [cookie, ...set].join("; ") });
  expect(await next.text()).toContain(REFUSED);
  expect(next.headers.getSetCookie().join()).toContain("toast=;");
});

test("a page that a tab opens again names who is signed in, once", async () => {
  const of = (path: string) => `${REOPENED_COOKIE}=${encodeURIComponent(path)}`;
  const next = await scenario.ask("/profile", { cookie: `${cookie}; ${of("/profile")}` });
  expect(await next.text()).toContain("You are signed in as Helmi now.");
  expect(next.headers.getSetCookie().join()).toContain(`${REOPENED_COOKIE}=; Max-Age=0; Path=/`);
  const visitor = await scenario.ask("/venues", { cookie: of("/venues") });
  expect(await visitor.text()).not.toContain("You are signed in");
});

test("a request of another tab leaves the notice to the page that is opened again", async () => {
  const other = await scenario.ask("/wallet", {
    cookie: `${cookie}; ${REOPENED_COOKIE}=%2Fprofile`,
  });
  expect(await other.text()).not.toContain("You are signed in");
  expect(other.headers.getSetCookie().join()).not.toContain(REOPENED_COOKIE);
});

test("a form carries what else its page has shown", () => {
  const missing = Object.entries(FORM_FACTS).flatMap(([start, facts]) => {
    const own = forms().filter(({ viewer, form }) => viewer !== "visitor" && isOf(form, start));
    if (own.length === 0) return [`no form is ${start}`];
    return own.flatMap(({ form }) => {
      const names = form.fields.map(({ name }) => name);
      const left = facts.filter((fact) => !names.includes(fact));
      return left.length > 0 ? [`${kind(form)} has no ${left.join()}`] : [];
    });
  });
  expect(missing).toEqual([]);
});

test("a form that carries nothing of what its page has shown is listed with the reason", () => {
  const carries = [...Object.keys(FORM_FACTS), ...Object.keys(SHOWN_FACTS)];
  const isOfAny = (starts: string[]) => (form: FoundForm) =>
    starts.some((start) => isOf(form, start));
  const bare = forms()
    .filter((each) => each.viewer !== "visitor" && !isForAnyone(each))
    .map(({ form }) => form)
    .filter((form) => !isOfAny(carries)(form));
  const reasons = Object.keys(WITHOUT_FACTS);
  expect(bare.filter((form) => !isOfAny(reasons)(form)).map(kind)).toEqual([]);
  expect(reasons.filter((start) => !bare.some((form) => isOf(form, start)))).toEqual([]);
});

const withShown = () => forms().filter(({ form }) => shownFacts(fillIn(form, {})).length > 0);

test("the facts that a form has shown are those of its row, and each form that has some has one", () => {
  const rows = Object.entries(SHOWN_FACTS);
  const others = withShown().flatMap(({ form }) => {
    const [, facts = []] = rows.find(([start]) => isOf(form, start)) ?? [];
    const shown = shownFacts(fillIn(form, {}));
    return shown.join() === facts.join() ? [] : [`${kind(form)}: ${shown.join()}`];
  });
  expect(others).toEqual([]);
  const unseen = rows.filter(([start]) => !withShown().some(({ form }) => isOf(form, start)));
  expect(unseen).toEqual([]);
});

test("a form is rejected where any one of its facts has changed, and changes no row", async () => {
  await scenario.restore();
  const done: string[] = [];
  for (const { viewer, form } of withShown()) {
    const before = await digest();
    const as = { cookie: scenario.cookies[viewer] };
    for (const fields of withOtherFacts(fillIn(form, given))) {
      const body = new URLSearchParams(fields);
      const { status } = await scenario.ask(form.path, { ...as, body });
      if (status === 409 && (await digest()) === before) continue;
      done.push(`${kind(form)}: ${status} ${new URLSearchParams(body).get("shown")}`);
      await scenario.restore();
    }
    const { status } = await scenario.ask(form.path, {
      ...as,
      body: new URLSearchParams(fillIn(form, given)),
    });
    // The scenario's game has players, and so stays published.
    const isKept = isOf(form, "/admin/games/:id intent=unpublish");
    if (status === 409 && !isKept) done.push(`${kind(form)} is rejected as it is`);
    await scenario.restore();
  }
  expect(done).toEqual([]);
});

const isOf = (form: FoundForm, start: string) => isKind(kind(form), start);

function isKind(whole: string, start: string): boolean {
  const [where = "", intent] = start.split(" ");
  const [address = "", fields = ""] = whole.split(" ");
  return intent
    ? address === where && fields.split(",").includes(intent)
    : address.startsWith(where);
}

const APP = path.join(import.meta.dirname, "..");
const sources = readdirSync(APP, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(tsx?|js)$/.test(file) && !/\.(test|server)\./.test(file))
  .filter((file) => !/^(platform|features)\/|^entry\.server/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(APP, file), "utf8") }));

test("nothing else on a page posts, or it is listed with what it says of the account", () => {
  const sends =
    /\bfetch\(|sendBeacon|XMLHttpRequest|useSubmit|\bsubmit\(\w|[mM]ethod(=|: )\{?"post"/i;
  const found = sources.filter(({ text }) => sends.test(text));
  expect(found.map(({ file }) => file).toSorted()).toEqual(Object.keys(SENDERS).toSorted());
  const silent = found.filter(({ file, text }) => {
    const [word = ""] = /^(account|usePageAccount)$/.exec(SENDERS[file]!) ?? [];
    return !text.includes(word);
  });
  expect(silent).toEqual([]);
});

test("only the one check reads what a form has sent, but for the taps, which answer as JSON", () => {
  const files = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\./.test(file),
  );
  const reads = /\b(readForm|formFields|parseBody)\(|request\.(formData|text|arrayBuffer)\(/;
  const readers = files.filter((file) => reads.test(readFileSync(path.join(APP, file), "utf8")));
  expect(readers.toSorted()).toEqual([
    "forms/form-action.server.ts",
    "forms/form-fields.server.ts",
    "platform/request-body.server.ts",
    "routes/admin/games/roster/tap.ts",
    "routes/public/vitals.ts",
    "routes/webhooks/mail.ts",
    "routes/webhooks/stripe.ts",
  ]);
});
