import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { expect, firstCases, type Page, test as base } from "./fixtures.ts";
import { aMatch } from "./matches.ts";
import { findGames } from "./games.ts";
import { addPlayer } from "./players.ts";
import { stage, write, shown, again } from "./chat-stage.ts";

interface Answer {
  status: number;
  body: string;
  type?: string;
}

interface Relay {
  url: string;
  /** What it says to a form by itself, instead of passing it on. */
  answer: Answer | null;
}

/** A proxy before the site, as nginx is with its defaults. */
const test = base.extend<{ relay: Relay }>({
  relay: async ({ baseURL }, use) => {
    const server = createServer((request, response) => {
      const { answer } = relay;
      if (answer && request.method === "POST") {
        request.resume();
        return response.writeHead(answer.status, { "Content-Type": answer.type }).end(answer.body);
      }
      const { method, headers, url } = request;
      const onwards = forward(new URL(url!, baseURL), { method, headers }, (answered) => {
        response.writeHead(answered.statusCode!, answered.headers);
        answered.pipe(response);
      });
      onwards.on("error", () => response.destroy());
      response.on("close", () => onwards.destroy());
      request.pipe(onwards);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const relay: Relay = { url: `http://127.0.0.1:${port}`, answer: null };
    await use(relay);
    server.closeAllConnections();
    server.close();
  },
});

const htmlOf = (status: number, title: string): Answer => ({
  status,
  type: "text/html",
  body: `<html><head><title>${status} ${title}</title></head><body>${title}</body></html>`,
});
const TOO_LARGE = htmlOf(413, "Request Entity Too Large");
const DOWN = htmlOf(502, "Bad Gateway");
const LATE = htmlOf(504, "Gateway Time-out");
const OTHER_PAGE = htmlOf(200, "We will be back soon");

const said = (page: Page) => page.getByRole("region", { name: "Notifications" });

const ANSWERS = [
  ["shows a page of its own", OTHER_PAGE],
  ["has no server behind it", DOWN],
  ["has waited too long", LATE],
] as const;

for (const [what, answer] of firstCases(ANSWERS, 2)) {
  test(`a join through a proxy that ${what} keeps the game's page, and is sent again`, async ({
    page,
    signIn,
    database,
    relay,
  }) => {
    const { who } = await addPlayer(database.db);
    await signIn(who);
    const { free } = await findGames(database.db);
    await page.goto(`${relay.url}/events/${free}`);
    relay.answer = answer;
    await page.getByRole("button", { name: "Join game" }).click();
    await expect(said(page)).toContainText("The server did not answer.");
    await expect(said(page)).toContainText("Sending it again is safe.");
    await expect(page.getByRole("button", { name: "Join game" })).toBeVisible();
    await expect(page.getByText("Something went wrong")).toHaveCount(0);
    relay.answer = null;
    await said(page).getByRole("button", { name: "Try again" }).click();
    await expect(page.getByText("You're attending this game!").first()).toBeVisible();
  });
}

test("a picture that a proxy finds too large keeps its dialog and the page, and says so", async ({
  page,
  signIn,
  database,
  relay,
}) => {
  const { who } = await addPlayer(database.db);
  await signIn(who);
  await page.goto(`${relay.url}/profile`);
  await page.getByRole("button", { name: "Change picture" }).click();
  const dialog = page.getByRole("dialog", { name: "Profile picture" });
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const raw = { width: 400, height: 400, channels: 3 as const, background: "white", noise };
  const buffer = await sharp({ create: raw }).jpeg().toBuffer();
  const photo = { name: "me.jpg", mimeType: "image/jpeg", buffer };
  await dialog.getByLabel("Choose a picture").setInputFiles(photo);
  relay.answer = TOO_LARGE;
  await dialog.getByRole("button", { name: "Save picture" }).click();
  await expect(dialog.getByRole("region")).toContainText("The file is too large for this server.");
  await expect(dialog.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await expect(dialog).toBeVisible();
  expect(await dialog.getByLabel("Choose a picture").inputValue()).toContain("me.jpg");
  relay.answer = null;
  await dialog.getByRole("button", { name: "Save picture" }).click();
  await expect(dialog).toBeHidden();
});

test("a text that a proxy does not pass on stays in its fields", async ({
  page,
  signIn,
  database,
  relay,
}) => {
  const { who } = await addPlayer(database.db);
  await signIn(who);
  await page.goto(`${relay.url}/settings/contact-support`);
  relay.answer = DOWN;
  await page.getByLabel("Subject *").fill("Shoes");
  await page.getByLabel("Message *").fill("Blue ones");
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(said(page)).toContainText("The server did not answer.");
  await expect(page.getByLabel("Message *")).toHaveValue("Blue ones");
  relay.answer = TOO_LARGE;
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(said(page)).toContainText("The form is too large for this server.");
  await expect(said(page).getByRole("button", { name: "Try again" })).toHaveCount(0);
  await expect(page.getByLabel("Message *")).toHaveValue("Blue ones");
});

for (const [what, answer] of [
  ["has no server behind it", DOWN],
  ["shows a page of its own", OTHER_PAGE],
] as const) {
  test(`a message through a proxy that ${what} is kept, and goes with the next try`, async ({
    page,
    signIn,
    database,
    relay,
  }) => {
    const { first, path } = await stage(database);
    await signIn(first.who);
    await page.goto(relay.url + path);
    relay.answer = answer;
    await write(page, "I bring the ball");
    await expect(again(page)).toBeVisible();
    relay.answer = null;
    await again(page).click();
    await expect(shown(page)).toHaveCount(1);
    await expect(again(page)).toHaveCount(0);
  });

  test(`a tap on the roster through a proxy that ${what} waits, and is saved with the next one`, async ({
    page,
    signIn,
    database,
    relay,
  }) => {
    const { gameId, bookings } = await aMatch(database, ["Aino", "Bertta"]);
    await signIn("admin");
    await page.goto(`${relay.url}/admin/games/${gameId}`);
    const rowOf = (name: string) => page.getByRole("listitem", { name: `${name} Example` });
    relay.answer = answer;
    await rowOf("Aino").getByRole("button", { name: "Check in" }).click();
    await expect(rowOf("Aino").getByText("Waiting for a connection")).toBeVisible();
    relay.answer = null;
    await rowOf("Bertta").getByRole("button", { name: "Check in" }).click();
    const attendanceOf = async (name: string) =>
      (
        await database.db
          .selectFrom("bookings")
          .select("attendance")
          .where("id", "=", bookings.get(name)!)
          .executeTakeFirstOrThrow()
      ).attendance;
    await expect.poll(() => attendanceOf("Aino")).toBe("CheckedIn");
    await expect.poll(() => attendanceOf("Bertta")).toBe("CheckedIn");
  });
}
