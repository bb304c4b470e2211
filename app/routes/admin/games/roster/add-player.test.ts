import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { buttonsOf } from "#test/screen.tsx";
import { openSite } from "#test/whole-site.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
let cookie: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  cookie = (await anAdmin(app)).cookie;
});

test.each([
  [{ payment: "nothing" }, / unpaid$/],
  [{ payment: "credits" }, / and take 10 credits$/],
  [{ payment: "cash", amount: "5", method: "Cash" }, / 5.00 € cash$/],
  [{ payment: "cash", amount: "7,5", method: "MobilePay" }, / 7.50 € MobilePay$/],
  [{ payment: "cash", amount: "5", method: "Other" }, / 5.00 € by hand$/],
])("who is meant is answered by a button that says what it does: %o", async (seat, how) => {
  const gameId = await aGame(app.db, { startsIn: 0.5 });
  const name = `Wilma${crypto.randomUUID().slice(0, 4)}`;
  await aPlayer(app.db, { name });
  const body = new URLSearchParams({ intent: "add", who: name.slice(0, -1) });
  for (const [field, value] of Object.entries(seat)) body.set(field, value);
  const asked = await (await openSite(app))(`/admin/games/${gameId}`, { cookie, body });
  const buttons = buttonsOf(await asked.text()).filter((label) => label.includes(name));
  expect(buttons).toEqual([expect.stringMatching(how)]);
  expect(buttons[0]).toMatch(/^Add Wilma/);
});

test("who shares a name with somebody gets the link to sign up too, also before a search", async () => {
  const gameId = await aGame(app.db, { startsIn: 0.5 });
  const [first, last] = ["Vanamo", crypto.randomUUID().slice(0, 4)];
  await aPlayer(app.db, { name: `${first}${last}` });
  const site = await openSite(app);
  const path = `/admin/games/${gameId}`;
  const send = async (fields: Record<string, string>) =>
    (await site(path, { cookie, body: new URLSearchParams(fields) })).text();
  expect(buttonsOf(await (await site(path, { cookie })).text())).toContain("No account yet?");
  const asked = await send({ intent: "add", who: first });
  expect(asked).not.toContain("QR code of the sign-up link");
  expect(buttonsOf(asked)).toContain("None of these");
  const form = asked.match(/<form(?:(?!<\/form>)[\s\S])*None of these/)![0];
  expect(form).toContain('name="intent" value="sign-up-link"');
  const page = await send({ intent: "sign-up-link" });
  expect(page).toContain("QR code of the sign-up link");
  const back = encodeURIComponent(`/events/${gameId}`);
  expect(page).toContain(`value="${app.env.appUrl}/auth?redirectTo=${back}&amp;tab=sign-up"`);
  expect(await bookingsOf(app.db, gameId)).toEqual([]);
});

test("who comes along to a full game that has begun is added after one question", async () => {
  const later = testApp(database, () => hoursLater(1));
  const gameId = await aGame(app.db, { startsIn: 0.5, spots: 1 });
  const [site, path] = [await openSite(later), `/admin/games/${gameId}`];
  const send = async (fields: Record<string, string>) =>
    site(path, { cookie, body: new URLSearchParams({ intent: "add", isHere: "1", ...fields }) });
  await send({ playerId: await aPlayer(app.db) });
  const playerId = await aPlayer(app.db, { name: "Kasper" });
  const asked = await (await send({ playerId })).text();
  expect(asked).toContain("The game is full. Add anyway?");
  expect(asked).toContain("Its max players become 2.");
  const form = asked.match(
    /<form(?:(?!<\/form>)[\s\S])*name="raisedTo"(?:(?!<\/form>)[\s\S])*/,
  )![0];
  expect(buttonsOf(form)).toEqual([expect.stringMatching(/^Add Kasper \w+ anyway, unpaid$/)]);
  expect((await send({ playerId, raisedTo: "2" })).status).toBe(302);
  const seats = await bookingsOf(app.db, gameId);
  expect(seats.map(({ attendance }) => attendance)).toEqual(["CheckedIn", "CheckedIn"]);
});
