import { addGame } from "../db/insert.ts";
import { wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { aBrowser } from "#test/push-service.ts";
import { expect, type Page, test } from "./fixtures.ts";
import { addPlayer } from "./players.ts";

const TURN_ON = { name: "Turn on notifications on this device" };

test.describe("push messages", () => {
  // The push service is Google's; what it sends the page is made here.
  async function stubService(page: Page, permission: NotificationPermission) {
    const subscription = {
      endpoint: `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}`,
      ...aBrowser(),
    };
    const { endpoint, keys } = subscription;
    await page.addInitScript(
      ([given, answer]) => {
        let current = localStorage.getItem("permission") ?? "default";
        Object.defineProperty(Notification, "permission", { get: () => current });
        Notification.requestPermission = async () => {
          current = answer as string;
          localStorage.setItem("permission", current);
          return current as NotificationPermission;
        };
        const remembered = () => localStorage.getItem("subscribed") !== null;
        const subscription = {
          ...(given as object),
          unsubscribe: async () => localStorage.removeItem("subscribed"),
        };
        const manager = {
          getSubscription: async () => (remembered() ? subscription : null),
          subscribe: async () => {
            localStorage.setItem("subscribed", "1");
            return subscription;
          },
        };
        const worker = {
          register: async () => {},
          ready: Promise.resolve({ pushManager: manager }),
        };
        Object.defineProperty(navigator, "serviceWorker", { get: () => worker });
      },
      [{ endpoint, keys }, permission] as const,
    );
  }

  test("are turned on for this device, and off again", async ({ page, signIn, database }) => {
    const { who, userId } = await addPlayer(database.db);
    await signIn(who);
    await stubService(page, "granted");
    await page.goto("/settings");
    await page.getByRole("link", { name: "Emails and push" }).click();
    await page.getByRole("button", TURN_ON).click();
    await expect(page.getByText("Notifications are on", { exact: true })).toBeVisible();
    const devices = database.db.selectFrom("push_subscriptions").select("endpoint");
    const mine = devices.where("user_id", "=", userId);
    expect(await mine.execute()).toHaveLength(1);
    const isSubscribed = () => page.evaluate(() => localStorage.getItem("subscribed") !== null);
    expect(await isSubscribed()).toBe(true);
    await page.getByRole("button", { name: "Turn off" }).click();
    await expect(page.getByRole("button", TURN_ON)).toBeVisible();
    expect(await mine.execute()).toEqual([]);
    expect(await isSubscribed()).toBe(false);
  });

  test("that the browser has dropped can be turned on again", async ({
    page,
    signIn,
    database,
  }) => {
    await signIn((await addPlayer(database.db)).who);
    await stubService(page, "granted");
    await page.goto("/settings/notifications");
    await page.getByRole("button", TURN_ON).click();
    await expect(page.getByText("Notifications are on", { exact: true })).toBeVisible();
    await page.evaluate(() => localStorage.removeItem("subscribed"));
    await page.reload();
    await page.getByRole("button", TURN_ON).click();
    await expect(page.getByText("Notifications are on", { exact: true })).toBeVisible();
  });

  test("that the browser blocks are explained", async ({ page, signIn, database }) => {
    await signIn((await addPlayer(database.db)).who);
    await stubService(page, "denied");
    await page.goto("/settings/notifications");
    await page.getByRole("button", TURN_ON).click();
    await expect(page.getByText("Notifications are blocked")).toBeVisible();
    await expect(page.getByRole("button", TURN_ON)).toBeHidden();
  });

  test.describe("on an iPhone", () => {
    test.use({
      userAgent:
        "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
    });
    test("need the home screen first", async ({ page, signIn, database }) => {
      await signIn((await addPlayer(database.db)).who);
      await page.addInitScript(() => Reflect.deleteProperty(window, "PushManager"));
      await page.goto("/settings/notifications");
      await expect(page.getByText("to your home screen first: tap Share")).toBeVisible();
      await expect(page.getByRole("button", TURN_ON)).toBeHidden();
    });
  });
});

test.describe("the service worker", () => {
  test.use({ serviceWorkers: "allow" });

  // A browser without a window shows no notifications: what the worker asks it to do is recorded.
  test("shows a push message, and opens its page when it is tapped", async ({ page, baseURL }) => {
    await page.goto("/auth");
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    const [worker] = page.context().serviceWorkers();
    const asked = await worker!.evaluate(async (message) => {
      const scope = globalThis as unknown as ServiceWorkerScope;
      const calls: unknown[] = [];
      const record =
        (name: string) =>
        async (...args: unknown[]) =>
          void calls.push([name, ...args]);
      scope.registration.showNotification = record("show");
      scope.clients.openWindow = record("open");
      let work: Promise<unknown> = Promise.resolve();
      const waitUntil = (promise: Promise<unknown>) => void (work = promise);
      const send = async (type: string, more: object) => {
        dispatchEvent(Object.assign(new Event(type), { waitUntil, ...more }));
        await work;
      };
      await send("push", { data: { json: () => message } });
      const close = () => void calls.push(["close"]);
      await send("notificationclick", { notification: { close, data: { url: message.url } } });
      return calls;
    }, MESSAGE);
    const { title, ...shown } = MESSAGE;
    expect(asked).toEqual([
      [
        "show",
        title,
        expect.objectContaining({ body: shown.body, tag: shown.tag, renotify: true }),
      ],
      ["close"],
      ["open", `${baseURL}/bookings`],
    ]);
  });
});

const MESSAGE = {
  title: "Sun 14:00, Campus Hall",
  body: "See you there.",
  url: "/bookings",
  tag: "game-1",
};

interface ServiceWorkerScope {
  registration: { showNotification: unknown };
  clients: { openWindow: unknown };
}

test.describe("the home screen", () => {
  /** Offers it like Chrome, at some time after the page has loaded. */
  const offer = (page: Page) =>
    page.evaluate(() => {
      const event = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
        prompt: async () => {
          document.title = "prompted";
          return { outcome: "accepted" };
        },
      });
      dispatchEvent(event);
    });

  async function join(db: Db, userId: string, count: number) {
    const { id: venue_id } = await db.selectFrom("venues").select("id").executeTakeFirstOrThrow();
    for (let n = 1; n <= count; n += 1) {
      const { date } = wallClock(new Date(Date.now() + n * 86_400_000));
      const game = { title: "Futsal", status: "Published" as const, max_players: 4, venue_id };
      const times = { date, start_time: "19:00", end_time: "20:00" };
      const game_id = await addGame(db, { ...game, ...times });
      const booking = { user_id: userId, game_id, payment_status: "Paid" as const };
      await db.insertInto("bookings").values(booking).execute();
    }
  }

  test("is offered from the second game on, until it is answered", async ({
    page,
    signIn,
    database,
  }) => {
    const { who, userId } = await addPlayer(database.db);
    await signIn(who);
    await join(database.db, userId, 1);
    const card = page.getByRole("region", { name: /on your home screen/ });
    await page.goto("/bookings");
    await offer(page);
    await expect(page.getByRole("heading", { name: "NEXT GAMES" })).toBeVisible();
    await expect(card).toBeHidden();
    await join(database.db, userId, 1);
    await page.goto("/events");
    await offer(page);
    await page.getByRole("link", { name: "My Games" }).first().click();
    await card.getByRole("button", { name: "Add to home screen" }).click();
    await expect(page).toHaveTitle("prompted");
    await expect(card).toBeHidden();
    await page.goto("/bookings");
    await offer(page);
    await expect(card).toBeHidden();
  });

  test("is not offered again to who said no, nor after signing out, which clears the storage", async ({
    page,
    signIn,
    database,
  }) => {
    const { who, userId } = await addPlayer(database.db);
    await signIn(who);
    await join(database.db, userId, 2);
    const card = page.getByRole("region", { name: /on your home screen/ });
    await page.goto("/bookings");
    await offer(page);
    await card.getByRole("button", { name: "No thanks" }).click();
    await expect(card).toBeHidden();
    await page.goto("/settings");
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page).toHaveURL("/");
    await signIn(who);
    await page.goto("/bookings");
    await offer(page);
    await expect(page.getByRole("heading", { name: "NEXT GAMES" })).toBeVisible();
    await expect(card).toBeHidden();
  });
});
