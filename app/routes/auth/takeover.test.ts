import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { allRows, PERSON, quickPasswords, watchTokens } from "#test/accounts.ts";
import { openBrowser } from "#test/cookie-jar.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
const OWN = "Owner1234";
const STRANGERS = "Stranger1";
let app: App;
let ask: AskSite;
let tokens: string[];
beforeAll(async () => {
  app = testApp(database);
  app.accounts = quickPasswords(app.accounts);
  const watched = watchTokens(app.jobs);
  app.jobs = watched.jobs;
  tokens = watched.tokens;
  ask = await openSite(app);
});

let email: string;
let now: Date;
beforeEach(() => {
  email = `${crypto.randomUUID()}@uni.example`;
  tokens.length = 0;
  now = new Date();
  app.now = () => now;
});

function browser() {
  const { post, ...jar } = openBrowser(ask);
  return {
    ...jar,
    post,
    signUp: (password: string, more: Record<string, string> = {}) => {
      const { phone: _, ...person } = PERSON;
      return post("/auth", { ...person, intent: "sign-up", email, ...more, password });
    },
    confirm: (token: string, password = "") =>
      post(`/auth/confirm?token=${token}`, { token, password }),
    signIn: (password: string, as = email) =>
      post("/auth", { intent: "sign-in", email: as, password }),
  };
}
type Browser = ReturnType<typeof browser>;

const link = (token: string) => `/auth/confirm?token=${token}`;
const isIn = ({ cookies }: Browser) => cookies.has("kickabout_session");
/** The statuses of signing in from a browser that nobody knows: the owner's and the stranger's. */
const whoGetsIn = async () => [
  (await browser().signIn(OWN)).status,
  (await browser().signIn(STRANGERS)).status,
];
const names = async () => {
  const profiles = app.db.selectFrom("profiles").select("first_name").where("email", "=", email);
  return (await profiles.execute()).map(({ first_name }) => first_name);
};
const person = { owner: { firstName: "Vera" }, stranger: { firstName: "Mal" } };

describe("only the owner of an address gets the account", () => {
  test.each([
    ["the owner first", ["owner", "stranger"]],
    ["a stranger first", ["stranger", "owner"]],
    ["three strangers first", ["stranger", "stranger", "stranger", "owner"]],
    ["strangers before and after", ["stranger", "owner", "stranger", "stranger"]],
  ] as const)("%s: the owner's link opens the owner's account", async (_, order) => {
    const owner = browser();
    for (const who of order) {
      const by = who === "owner" ? owner : browser();
      expect((await by.signUp(who === "owner" ? OWN : STRANGERS, person[who])).status).toBe(200);
    }
    const response = await owner.confirm(tokens[order.indexOf("owner")]!);
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
    expect(isIn(owner)).toBe(true);
    expect(await names()).toEqual(["Vera"]);
    expect(await whoGetsIn()).toEqual([302, 401]);
    for (const token of tokens) {
      const late = browser();
      expect((await late.confirm(token, STRANGERS)).status).toBe(410);
      expect(isIn(late)).toBe(false);
    }
  });

  test("a stranger who signs up after the owner has confirmed changes nothing", async () => {
    const owner = browser();
    await owner.signUp(OWN, person.owner);
    await owner.confirm(tokens[0]!);
    const stranger = browser();
    expect((await stranger.signUp(STRANGERS, person.stranger)).status).toBe(200);
    expect(tokens).toHaveLength(1);
    expect(await names()).toEqual(["Vera"]);
    expect(await whoGetsIn()).toEqual([302, 401]);
  });

  test("pressing the button in a stranger's email asks for a password, and no other one will do", async () => {
    const owner = browser();
    await browser().signUp(STRANGERS, person.stranger);
    await owner.signUp(OWN, person.owner);
    const page = await (await owner.get(link(tokens[0]!))).text();
    expect(page).toMatch(/<input[^>]* name="password"/);
    expect(page).not.toContain("Mal");
    const before = await allRows(app.db);
    expect((await owner.confirm(tokens[0]!)).status).toBe(422);
    expect(await allRows(app.db)).toEqual(before);
    const wrong = await owner.confirm(tokens[0]!, OWN);
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toContain("This is not the password of this sign-up");
    expect(await names()).toEqual([]);
    expect(isIn(owner)).toBe(false);
    expect(await whoGetsIn()).toEqual([401, 401]);
    expect((await owner.confirm(tokens[1]!)).status).toBe(302);
    expect(await whoGetsIn()).toEqual([302, 401]);
  });

  test("who has only a stranger's email signs up with it, and needs no further one", async () => {
    for (let n = 0; n < 14; n += 1) await browser().signUp(STRANGERS, person.stranger);
    const owner = browser();
    const page = await (await owner.get(link(tokens[0]!))).text();
    const [, way = ""] = /href="(\/auth\?tab=sign-up[^"]*)"/.exec(page) ?? [];
    const form = await (await owner.get(way.replaceAll("&amp;", "&"))).text();
    const [, proof = ""] = /name="proof" value="([^"]+)"/.exec(form) ?? [];
    expect(proof).toBe(tokens[0]);
    const response = await owner.signUp(OWN, { ...person.owner, proof });
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
    expect(isIn(owner)).toBe(true);
    expect(await names()).toEqual(["Vera"]);
    expect(await whoGetsIn()).toEqual([302, 401]);
    expect((await browser().confirm(tokens[1]!, STRANGERS)).status).toBe(410);
  });

  test("a link proves its own address only", async () => {
    const stranger = browser();
    await stranger.signUp(STRANGERS);
    const response = await stranger.signUp(STRANGERS, {
      email: `victim.${email}`,
      proof: tokens[0]!,
    });
    expect(response.status).toBe(200);
    expect(isIn(stranger)).toBe(false);
    expect(await app.db.selectFrom("users").where("email", "=", `victim.${email}`).execute()) //
      .toEqual([]);
  });

  test("guesses at a sign-up's password are slowed like failed sign-ins, with them", async () => {
    await browser().signUp(STRANGERS);
    for (let n = 0; n < 5; n += 1) {
      expect((await browser().confirm(tokens[0]!, OWN)).status).toBe(422);
    }
    const response = await browser().confirm(tokens[0]!, STRANGERS);
    expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "1"]);
    expect((await browser().signIn(STRANGERS)).status).toBe(429);
    now = new Date(now.getTime() + 2_000);
    expect((await browser().confirm(tokens[0]!, STRANGERS)).status).toBe(302);
  });
});

describe("opening a link", () => {
  const VISITS: [string, { method?: string; headers?: Record<string, string> }][] = [
    ["a person", {}],
    ["a scanner that asks for the head", { method: "HEAD" }],
    ["a gateway", { headers: { "User-Agent": "SafeLinks/1.0" } }],
    ["a browser that fetches ahead", { headers: { "Sec-Purpose": "prefetch;prerender" } }],
    ["a foreign page's image", { headers: { "Sec-Fetch-Site": "cross-site" } }],
  ];

  test.each(VISITS)("by %s changes nothing, in no browser", async (_, more) => {
    const owner = browser();
    await browser().signUp(STRANGERS);
    await owner.signUp(OWN);
    const before = await allRows(app.db);
    for (const by of [owner, browser()]) {
      for (const token of tokens) {
        const response = await ask(link(token), { ...more, cookie: undefined });
        expect(response.status).toBe(200);
        expect(response.headers.getSetCookie()).toEqual([]);
        expect((await by.get(link(token), more)).status).toBe(200);
      }
    }
    expect(await allRows(app.db)).toEqual(before);
    expect(isIn(owner)).toBe(false);
  });

  test("in the browser that signed up there is a button alone, with the name", async () => {
    const owner = browser();
    await owner.signUp(OWN, person.owner);
    const page = await (await owner.get(link(tokens[0]!))).text();
    expect(page).toContain("Hi Vera");
    expect(page).not.toMatch(/<input[^>]* name="password"/);
    expect(page.match(/<form/g)).toHaveLength(1);
  });

  test("a visitor who follows a stranger's own link is not signed in to the stranger's account", async () => {
    await browser().signUp(STRANGERS);
    const victim = browser();
    await victim.get(link(tokens[0]!));
    expect((await victim.confirm(tokens[0]!)).status).toBe(422);
    expect(isIn(victim)).toBe(false);
  });

  test("who is signed in stays who they are", async () => {
    const owner = browser();
    await owner.signUp(OWN);
    await owner.confirm(tokens[0]!);
    const session = owner.cookies.get("kickabout_session");
    email = `other.${email}`;
    await owner.signUp(OWN);
    expect((await owner.confirm(tokens[1]!)).status).toBe(302);
    expect(owner.cookies.get("kickabout_session")).toBe(session);
    const former = email.replace("other.", "");
    const page = await (await owner.get("/events")).text();
    expect(page).toContain(`${email} is confirmed`);
    expect(page).toContain(`You are still signed in as ${former}.`);
    expect((await browser().signIn(OWN)).status).toBe(302);
  });
});

describe("where a confirmed sign-up leads", () => {
  // spec: 2.44
  test("to the own page that it began from, on another device as well", async () => {
    await browser().signUp(OWN, { redirectTo: "/events/5?x=1" });
    const response = await browser().confirm(tokens[0]!, OWN);
    expect(response.headers.get("Location")).toBe("/events/5?x=1");
  });

  test("to no other site", async () => {
    const owner = browser();
    await owner.signUp(OWN, { redirectTo: "https://evil.example/" });
    expect((await owner.confirm(tokens[0]!)).headers.get("Location")).toBe("/");
  });
});

describe("name+tag@ is the same person as name@", () => {
  const tagged = (tag: string) => email.replace("@", `+${tag}@`);

  test("one account, which any tag signs in to", async () => {
    const owner = browser();
    await owner.signUp(OWN, { email: tagged("one") });
    await owner.confirm(tokens[0]!);
    await owner.signUp(STRANGERS, { email: tagged("two") });
    await owner.signUp(STRANGERS);
    expect(tokens).toHaveLength(1);
    for (const as of [email, tagged("one"), tagged("three")]) {
      expect((await browser().signIn(OWN, as)).status).toBe(302);
      expect((await browser().signIn(STRANGERS, as)).status).toBe(401);
    }
  });

  test("of two tags that wait the first that is confirmed is the account", async () => {
    const [one, two] = [browser(), browser()];
    await one.signUp(OWN, { email: tagged("one") });
    await two.signUp(OWN, { email: tagged("two") });
    expect((await two.confirm(tokens[1]!)).status).toBe(302);
    expect((await one.confirm(tokens[0]!)).status).toBe(410);
  });

  test("failed sign-ins by other tags count together", async () => {
    for (let n = 0; n < 5; n += 1) await browser().signIn("Wrong1234", tagged(`t${n}`));
    expect((await browser().signIn("Wrong1234")).status).toBe(429);
  });
});
