import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { aPlayer } from "#test/fixtures.ts";
import { useAdmin } from "#test/use-admin.ts";
import { openSite, type AskSite } from "#test/whole-site.ts";
import type { AnnounceResult } from "./actions.server.ts";
import * as list from "./list.tsx";
import * as create from "./new.tsx";
import * as show from "./show.tsx";
import type { AnnouncementView } from "./view.server.ts";

const admin = useAdmin();
const PATH = "/admin/players/announcements";
let site: AskSite;
beforeEach(async () => {
  site = await openSite(admin.app);
  await admin.app.db.deleteFrom("announcement_recipients").execute();
  await admin.app.db.deleteFrom("announcements").execute();
});

const TEXT = { kind: "news", subject: "New games", message: "Come\r\n\r\nand play" };
const fields = { audience: "everybody", ...TEXT };
const post = (body: Record<string, string>, app = admin.app) =>
  admin.visit<AnnounceResult>(create.action, { path: `${PATH}/new`, body }, app);
const preview = (more = {}) => post({ intent: "preview", ...fields, ...more });
const html = async (path: string) => (await site(path, { cookie: admin.admin.cookie })).text();
const open = async (id: string) =>
  (await admin.visit<AnnouncementView>(show.loader, { path: `${PATH}/${id}` })).data;
const press = (id: string, intent: string) =>
  admin.visit(show.action, { path: `${PATH}/${id}`, body: { intent } });

async function send() {
  const { data } = await preview();
  const announcementId = randomUUID();
  const { recipients } = data.preview!;
  const sent = { intent: "send", ...fields, announcementId, recipients: String(recipients) };
  return { announcementId, recipients, answer: await post(sent) };
}

describe("the form", () => {
  test("is empty news to everybody, and needs no script", async () => {
    const text = await html(`${PATH}/new`);
    expect(text).toContain('<option value="everybody" selected="">');
    expect(text).toContain('<option value="news" selected="">');
    expect(text).not.toContain("Send to");
  });

  test("counts who would get it, and sends nothing yet", async () => {
    const { status, data } = await preview();
    expect(status).toBe(200);
    const [{ count }] = (await admin.app.db
      .selectFrom("profiles")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .execute()) as [{ count: number }];
    expect(data.preview).toMatchObject({
      recipients: count,
      input: { message: "Come\n\nand play" },
    });
    const page = await site(`${PATH}/new`, {
      cookie: admin.admin.cookie,
      body: new URLSearchParams({ intent: "preview", ...fields }),
    });
    expect(await page.text()).toContain(`Send to <!-- -->${data.preview!.people}`);
    expect((await admin.visit<object[]>(list.loader, { path: PATH })).data).toEqual([]);
  });

  test("says what is missing, and that nobody is chosen, and keeps what was typed", async () => {
    const missing = await preview({ audience: "venue", venueId: "", subject: "" });
    expect([missing.status, missing.data]).toMatchObject([
      422,
      {
        title: "Nothing was sent",
        fieldErrors: { venueId: "Choose a venue", subject: "Subject is required" },
        values: { message: "Come\r\n\r\nand play" },
      },
    ]);
    const nobody = await preview({ audience: "venue", venueId: randomUUID() });
    expect([nobody.status, nobody.data.formError]).toEqual([
      422,
      "Nobody would get it. Choose other people.",
    ]);
  });
});

describe("the confirmation", () => {
  test("sends to as many as it names, once", async () => {
    const { announcementId, recipients, answer } = await send();
    expect(await admin.toast(answer)).toEqual({
      ...{ status: 302, to: `${PATH}/${announcementId}`, title: "Sending has begun" },
    });
    const view = await open(announcementId);
    expect(view).toMatchObject({
      ...{ recipients, sent: 0, progress: `0 of ${recipients} sent`, kind: "News" },
      ...{ state: { label: "Sending" }, canStop: true, canResume: false, isFinished: false },
      rest: [`${recipients} not begun`],
      left: "This goes on by itself, at most 60 a minute: about 1 min more.",
    });
    expect(view.facts).toMatch(
      /^Ben \w+, Nov 21, 2026, 12:00, to everybody \(\d+ (people|person)\)$/,
    );
    expect(await html(PATH)).toContain("New games");
  });

  test("of other people than there are now asks again", async () => {
    const { data } = await preview();
    await aPlayer(admin.app.db);
    const recipients = data.preview!.recipients;
    const form = { intent: "send", ...fields, announcementId: randomUUID() };
    const { status, data: again } = await post({ ...form, recipients: String(recipients) });
    expect([status, again.title, again.preview?.recipients]).toEqual([
      409,
      "Please check again",
      recipients + 1,
    ]);
  });

  test("that cannot be stored says so and sends nothing", async () => {
    const { data } = await preview();
    const recipients = String(data.preview!.recipients);
    const form = { intent: "send", ...fields, announcementId: randomUUID(), recipients };
    const { status, data: failed } = await post(form, admin.broken("writes"));
    expect([status, failed.title]).toEqual([500, "Nothing was sent"]);
  });
});

describe("an announcement's page", () => {
  test("stops it and goes on", async () => {
    const { announcementId: id, recipients } = await send();
    expect((await admin.toast(await press(id, "stop"))).title).toBe("Stopped");
    expect(await open(id)).toMatchObject({
      ...{ state: { label: "Stopped" }, canStop: false, canResume: true, isFinished: true },
      ...{ rest: [`${recipients} not begun`], left: null },
    });
    expect(await html(`${PATH}/${id}`)).toContain("Go on sending");
    expect((await admin.toast(await press(id, "resume"))).title).toBe("Sending goes on");
    expect(await html("/admin/log")).toContain("stopped ");
  });

  test("of nothing is a page that says so", async () => {
    expect((await admin.visit(show.loader, { path: `${PATH}/x` })).status).toBe(404);
    expect((await press(randomUUID(), "stop")).status).toBe(404);
  });
});
