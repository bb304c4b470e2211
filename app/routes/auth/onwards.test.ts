import { describe, expect, test } from "vitest";
import { addAccount, PASSWORD, waitingJobs } from "#test/accounts.ts";
import { aPhone, onTo, useOnTheWay } from "#test/on-the-way.ts";
import { linksOf, textOf } from "#test/screen.tsx";
import { issueLink } from "#app/features/accounts/mail-links.server.ts";

const scenario = useOnTheWay();

const NAMED = "Tikkurila Arena, Mon 12:00 · 10 credits (10.00\u00a0€) · 3 spots left";
const location = (response: Response) => response.headers.get("Location");
/** Where the form with that intent, or the page's first one, leads. */
function actionOf(html: string, intent = "") {
  const forms = [...html.matchAll(/<form\b.*?<\/form>/gs)].map(([form]) => form);
  const form = forms.find((one) => one.includes(`name="intent" value="${intent}"`)) ?? forms[0]!;
  return textOf(/action="([^"]*)"/.exec(form)?.[1] ?? "");
}
const linkTo = (html: string, label: string) =>
  linksOf(html)
    .find((link) => link.startsWith(`${label} → `))
    ?.split(" → ")[1];

test("from a shared game by signing up to that game, with Join in reach", async () => {
  const { game } = scenario;
  const phone = aPhone(scenario);
  const away = await phone.post(game, { intent: "join" });
  expect([away.status, location(away)]).toEqual([302, onTo(game)]);
  const page = await phone.read(onTo(game));
  const failed = await phone.signUp(actionOf(page, "sign-up"), { major: "" });
  expect(failed.status).toBe(422);
  const again = await failed.text();
  expect(textOf(again)).toContain(`|Sign up to join ${NAMED}|`);
  const sent = await phone.signUp(actionOf(again, "sign-up"));
  const notice = await sent.text();
  expect(textOf(notice)).toContain(`|Confirm your email to join ${NAMED}|`);
  expect(linkTo(notice, "Sign In")).toBe(`${onTo(game)}&tab=sign-in`);
  expect(linkTo(notice, "Use another address")).toBe(`${onTo(game)}&tab=sign-up`);
  const { email } = scenario;
  const resent = await phone.post(actionOf(notice, "resend"), { intent: "resend", email });
  expect(textOf(await resent.text())).toContain(`|Confirm your email to join ${NAMED}|`);
  const link = await phone.read(`/auth/confirm?token=${scenario.tokens.at(-1)}`);
  expect(textOf(link)).toContain(`|Confirm your email to join ${NAMED}|`);
  expect(location(await phone.confirm())).toBe(game);
  const joinable = await phone.read(game);
  expect(joinable).toMatch(/<button[^>]*>Pay and join<\/button>/);
  expect(joinable).not.toContain('href="/auth');
});

test("a browser that waits for its email reads so when the page is loaded again", async () => {
  const phone = aPhone(scenario);
  const waits = "|Signed up here already? Open the link in the email we sent you.|";
  expect(textOf(await phone.read(onTo(scenario.game)))).not.toContain(waits);
  await phone.signUp(onTo(scenario.game));
  expect(textOf(await phone.read(onTo(scenario.game)))).toContain(waits);
  expect(textOf(await aPhone(scenario).read(onTo(scenario.game)))).not.toContain(waits);
});

test("a link that is opened on another device leads to the game after the password", async () => {
  await aPhone(scenario).signUp(onTo(scenario.game));
  const laptop = aPhone(scenario);
  const page = await laptop.read(`/auth/confirm?token=${scenario.tokens[0]}`);
  expect(textOf(page)).toContain(`|Confirm your email to join ${NAMED}|`);
  expect(page).toMatch(/<input[^>]* name="password"/);
  const rejected = await laptop.confirm("Wrong1234");
  expect(rejected.status).toBe(422);
  expect(textOf(await rejected.text())).toContain(`|Confirm your email to join ${NAMED}|`);
  const confirmed = await laptop.confirm(PASSWORD);
  expect([confirmed.status, location(confirmed)]).toEqual([302, scenario.game]);
  expect(await laptop.read(scenario.game)).toMatch(/<button[^>]*>Pay and join<\/button>/);
});

test("who signs up again with a link of another device goes on to the game too", async () => {
  await aPhone(scenario).signUp(onTo(scenario.game));
  const laptop = aPhone(scenario);
  const page = await laptop.read(`/auth/confirm?token=${scenario.tokens[0]}`);
  const form = await laptop.read(linkTo(page, "Sign up again here")!);
  expect(textOf(form)).toContain(`|Sign up to join ${NAMED}|`);
  const proof = scenario.tokens[0]!;
  const done = await laptop.signUp(actionOf(form, "sign-up"), { proof });
  expect([done.status, location(done)]).toEqual([302, scenario.game]);
});

describe("a sign-up that waits for its link", () => {
  test("goes where its own browser wants to go now", async () => {
    const phone = aPhone(scenario);
    await phone.signUp("/auth");
    const failed = await phone.signIn(onTo(scenario.game));
    expect(failed.status).toBe(401);
    const page = await failed.text();
    expect(textOf(page)).toContain(`|Sign in to join ${NAMED}|`);
    const { email } = scenario;
    await phone.post(actionOf(page, "resend"), { intent: "resend", email });
    expect(location(await phone.confirm())).toBe(scenario.game);
  });

  test("is not led elsewhere by another browser", async () => {
    const phone = aPhone(scenario);
    await phone.signUp(onTo(scenario.game));
    const { email } = scenario;
    await aPhone(scenario).post(onTo("/venues"), { intent: "resend", email });
    expect(location(await phone.confirm())).toBe(scenario.game);
  });
});

describe("a lost password", () => {
  test("leads to the game once there is a new one", async () => {
    const { userId, email } = await addAccount(scenario.app);
    scenario.email = email;
    const phone = aPhone(scenario);
    const forgot = linkTo(await phone.read(onTo(scenario.game)), "Forgot password?")!;
    expect(forgot).toBe(onTo(scenario.game, "/auth/forgot"));
    expect(linkTo(await phone.read(forgot), "Sign In")).toBe(`${onTo(scenario.game)}&tab=sign-in`);
    const sent = await (await phone.post(forgot, { email })).text();
    expect(actionOf(sent)).toBe(forgot);
    const jobs = await waitingJobs(scenario.database.pool, "reset-password");
    const job = jobs.find((one) => one.userId === userId);
    expect(job).toMatchObject({ gameId: scenario.gameId });
    const { token } = job!;
    const reset = `/auth/reset?token=${token}&${onTo(scenario.game).split("?")[1]}`;
    expect(actionOf(await phone.read(reset))).toBe(reset);
    const saved = await phone.post(reset, { token, password: "Kickabout2" });
    expect(location(saved)).toBe(`${onTo(scenario.game)}&tab=sign-in`);
    const page = await phone.read(location(saved)!);
    const entered = await phone.signIn(actionOf(page, "sign-in"), { password: "Kickabout2" });
    expect(location(entered)).toBe(scenario.game);
  });

  test("keeps the way where the link is over", async () => {
    const html = await aPhone(scenario).read(
      `/auth/reset?token=x&${onTo("/venues").split("?")[1]}`,
    );
    expect(linkTo(html, "Send a new link")).toBe(onTo("/venues", "/auth/forgot"));
  });

  test("mails no path but that of a game, for a stranger could write in it", async () => {
    const { userId, email } = await addAccount(scenario.app);
    await aPhone(scenario).post(onTo("/events/call-0401234567", "/auth/forgot"), { email });
    const jobs = await waitingJobs(scenario.database.pool, "reset-password");
    expect(jobs.find((one) => one.userId === userId)).toMatchObject({ gameId: null });
  });
});

test("who has an account already is led to the game by the mail that says so", async () => {
  const { userId, email } = await addAccount(scenario.app);
  scenario.email = email;
  await aPhone(scenario).signUp(onTo(scenario.game));
  const jobs = await waitingJobs(scenario.database.pool, "account-exists");
  expect(jobs).toContainEqual({ userId, gameId: scenario.gameId });
});

test("who is signed in already goes straight on", async () => {
  const phone = aPhone(scenario);
  await phone.signUp("/auth");
  await phone.confirm();
  expect(location(await phone.get(onTo(scenario.game)))).toBe(scenario.game);
  expect(location(await phone.get("/auth"))).toBe("/events");
});

test("a code that comes too late begins again on the way to the game", async () => {
  const late = await aPhone(scenario).get(onTo(scenario.game, "/auth/code"));
  expect(location(late)).toBe(`${onTo(scenario.game)}&tab=sign-in`);
});

describe.each([
  "https://evil.example/x",
  "//evil.example",
  "/\\evil.example",
  "javascript:alert(1)",
])("%s is no path of ours", (evil) => {
  test("and leads nowhere from signing up, in or a reset", async () => {
    const phone = aPhone(scenario);
    expect(await phone.read(onTo(evil))).not.toContain("evil");
    await phone.signUp(onTo(evil), { redirectTo: evil });
    expect(location(await phone.confirm())).toBe("/");
    expect(location(await phone.get(onTo(evil)))).toBe("/events");
    const laptop = aPhone(scenario);
    expect(location(await laptop.signIn(onTo(evil), { redirectTo: evil }))).toBe("/events");
    const { userId } = await addAccount(scenario.app);
    const token = await scenario.app.db
      .transaction()
      .execute((tx) => issueLink(tx, "reset", userId, scenario.app.now()));
    const reset = `/auth/reset?token=${token}&${onTo(evil).split("?")[1]}`;
    const saved = await laptop.post(reset, { token: token!, password: "Kickabout2" });
    expect(location(saved)).toBe("/auth");
  });

  test("and is not followed where it was stored by hand", async () => {
    const phone = aPhone(scenario);
    await phone.signUp("/auth");
    await scenario.database.pool.query("update sign_ups set redirect_to = $1", [evil]);
    expect(location(await phone.confirm())).toBe("/");
  });
});
