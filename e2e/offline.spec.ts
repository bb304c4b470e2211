import { expect, firstCases, test } from "./fixtures.ts";
import { findGames } from "./games.ts";
import { addPlayer } from "./players.ts";
import { cachedFiles, whenWorkerIsReady } from "./service-worker.ts";
import { once } from "node:events";
import { createServer } from "node:http";

test.use({ serviceWorkers: "allow" });

for (const colorScheme of firstCases(["dark", "light"] as const)) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test("without a connection our own page is shown until there is one", async ({ page }) => {
      await page.goto("/auth");
      await whenWorkerIsReady(page);
      await page.context().setOffline(true);
      await page.goto("/venues?city=Espoo");
      await expect(page.getByRole("heading", { name: "You are offline" })).toBeVisible();
      await expect(page).toHaveURL(/\/venues\?city=Espoo$/);
      const look = await page.evaluate(async () => {
        await document.fonts.ready;
        const style = getComputedStyle(document.documentElement);
        return { canvas: style.backgroundColor, fonts: [...document.fonts].map((f) => f.status) };
      });
      expect(look.canvas).toBe(colorScheme === "light" ? "rgb(242, 245, 238)" : "rgb(10, 16, 13)");
      expect(look.fonts).toContain("loaded");
      await page.getByRole("link", { name: "Try again" }).click();
      await expect(page.getByRole("heading", { name: "You are offline" })).toBeVisible();
      await page.context().setOffline(false);
      await expect(page.getByRole("heading", { name: "Venues", exact: true })).toBeVisible();
      await expect(page).toHaveURL(/\/venues\?city=Espoo$/);
    });
  });
}

test("the browser keeps the offline page alone, and takes no message for it", async ({
  page,
  signIn,
  database,
}) => {
  const { who } = await addPlayer(database.db);
  await signIn(who);
  await page.goto("/events");
  await whenWorkerIsReady(page);
  await page.goto("/profile");
  await page.goto("/bookings");
  const kept = (await cachedFiles(page)).toSorted();
  expect(kept).toEqual([
    expect.stringMatching(/^\/assets\/offline-tickets-.*\.js$/),
    expect.stringMatching(/^\/assets\/shared-.*\.css$/),
    "/fonts/archivo-kickabout.woff2",
    "/offline",
  ]);
  const html = await page.evaluate(async () => (await caches.match("/offline"))?.text());
  expect(html).toContain("You are offline");
  expect(html).not.toContain(who);
  await page.goto("/settings");
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("logged out");
});

test("a join without a connection says so and changes nothing, then works", async ({
  page,
  signIn,
  database,
}) => {
  const { who } = await addPlayer(database.db);
  await signIn(who);
  const { free } = await findGames(database.db);
  await page.goto(`/events/${free}`);
  await page.waitForLoadState("networkidle");
  const seats = () =>
    database.db
      .selectFrom("games")
      .select("seats_taken")
      .where("id", "=", free)
      .executeTakeFirstOrThrow();
  const before = await seats();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Join game" }).click();
  const said = page.getByRole("region", { name: "Notifications" });
  await expect(said).toContainText("You are offline.");
  await expect(said).toContainText("Nothing was sent.");
  await expect(page.getByRole("button", { name: "Join game" })).toBeVisible();
  expect(await seats()).toEqual(before);
  await page.getByRole("banner").getByRole("link", { name: "credits" }).click();
  await expect(said).toContainText("This page stays as it is.");
  await expect(page).toHaveURL(`/events/${free}`);
  await page.getByRole("button", { name: "Join game" }).click();
  await expect(said).toContainText("Nothing was sent.");
  await page.context().setOffline(false);
  await expect(said).not.toContainText("Nothing was sent.");
  await page.getByRole("button", { name: "Join game" }).click();
  await expect(page.getByText("You're attending this game!").first()).toBeVisible();
  expect((await seats()).seats_taken).toBe(before.seats_taken + 1);
});

test("a form whose request is lost keeps what was filled in, and is sent once more", async ({
  page,
  signIn,
  database,
}) => {
  const { who } = await addPlayer(database.db);
  await signIn(who);
  await page.goto("/settings/contact-support");
  await page.waitForLoadState("networkidle");
  await page.route("**/settings/contact-support.data*", (route) => route.abort());
  await page.getByLabel("Subject *").fill("Shoes");
  await page.getByLabel("Message *").fill("Blue ones");
  await page.getByRole("button", { name: "Send message" }).click();
  const said = page.getByRole("region", { name: "Notifications" });
  await expect(said).toContainText("The connection failed.");
  await expect(page.getByLabel("Message *")).toHaveValue("Blue ones");
  await page.unroute("**/settings/contact-support.data*");
  await said.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("main").getByRole("status")).toContainText("Message sent");
});

test("the worker of the next build takes the place of the last one's", async ({
  page,
  baseURL,
}) => {
  const deploy = await startNextDeploy(baseURL!);
  try {
    await page.goto(`${deploy.url}/auth`);
    await whenWorkerIsReady(page);
    const names = () => page.evaluate(() => caches.keys());
    const [first] = await names();
    deploy.next();
    await page.reload();
    await expect.poll(names).toEqual([`${first}-next`]);
    await whenWorkerIsReady(page);
    await deploy.stop();
    await page.goto(`${deploy.url}/auth`);
    await expect(page.getByRole("heading", { name: "You are offline" })).toBeVisible();
  } finally {
    await deploy.stop();
  }
});

test("the worker's file is revalidated each time", async ({ request }) => {
  const response = await request.get("/sw.js");
  expect(response.headers()["cache-control"]).toBe("no-cache");
  expect(response.headers()["content-security-policy"]).toContain("worker-src 'self'");
  expect(await response.text()).toMatch(/"offline-[0-9a-f]{12}"/);
});

/** The site at an address of its own, where a next build can be put in the place of the last. */
interface NextDeploy {
  url: string;
  /** From now on the service worker is another build's. */
  next(): void;
  stop(): Promise<void>;
}

async function startNextDeploy(site: string): Promise<NextDeploy> {
  let isNext = false;
  const server = createServer(async ({ url = "/" }, response) => {
    const reply = await fetch(site + url, { redirect: "manual" });
    const headers = Object.fromEntries(reply.headers);
    // What fetch has unpacked goes on as it is.
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) {
      delete headers[name];
    }
    let body = Buffer.from(await reply.arrayBuffer());
    if (isNext && url === "/sw.js") {
      body = Buffer.from(body.toString().replace(/offline-\w+/, "$&-next"));
    }
    response.writeHead(reply.status, headers).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    next: () => (isNext = true),
    async stop() {
      server.closeAllConnections();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
  };
}
