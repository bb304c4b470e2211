import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { version } from "../../../package.json";
import { ada } from "#test/fixtures.ts";
import { readXlsx } from "#test/xlsx.ts";
import { signIn } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { CANCELLATION_POLICY } from "#app/features/seats/rules.ts";
import { loader as changePassword } from "./change-password.tsx";
import { action as contact, loader as contactPage } from "./contact-support.tsx";
import { loader as deleteAccount } from "./delete-account.tsx";
import { loader as index } from "./index.tsx";
import { action as review, loader as reviewPage } from "./leave-review.tsx";
import { loader as myData } from "./my-data.ts";
import { loader as onboarding } from "./onboarding.tsx";
import { useSettings } from "#test/settings.ts";
import { loader as withdraw } from "./withdraw.tsx";

const settings = useSettings();

// spec: 2.26, 6.4
test("every page is for players alone: a visitor goes to the front page", async () => {
  const pages = [index, changePassword, contactPage, reviewPage, onboarding, myData, withdraw];
  for (const page of [...pages, deleteAccount]) {
    const { status, headers } = await settings.open(page, "");
    expect([status, headers.get("Location")]).toEqual([302, "/"]);
  }
  for (const action of [contact, review]) {
    expect(await settings.post(action, "", "", {})).toMatchObject({ status: 302, to: "/" });
  }
});

// spec: 1.23
test("the version is the package's, the onboarding shows the policy that counts", async () => {
  const { cookie } = await settings.player();
  expect((await settings.open(index, "", cookie)).data).toMatchObject({ version });
  const { data } = await settings.open(onboarding, "/onboarding", cookie);
  expect(data).toEqual({
    policy: CANCELLATION_POLICY,
    price: "10",
    creditPrice: "1.00\u00a0€",
  });
});

describe("contacting support", () => {
  const send = (cookie: string, fields: Record<string, string>) =>
    settings.post(contact, "/contact-support", cookie, { intent: "contact-support", ...fields });

  // spec: 7.38
  test("keeps the message and confirms it on the page, and nowhere else", async () => {
    const { userId, cookie } = await settings.player();
    const sent = await send(cookie, { subject: "Shoes", message: "Lost\r\nthem" });
    expect([sent.status, sent.to]).toEqual([302, "/settings/contact-support?sent"]);
    expect(await settings.toast(sent.headers)).toBeNull();
    const kept = settings.app.db.selectFrom("support_messages").select(["subject", "message"]);
    expect(await kept.where("user_id", "=", userId).execute()).toEqual([
      { subject: "Shoes", message: "Lost\nthem" },
    ]);
    expect((await settings.open(contactPage, "/contact-support?sent", cookie)).data).toMatchObject({
      isSent: true,
    });
  });

  // spec: 5.19
  test("with nothing in it fails and loses nothing that was typed", async () => {
    const { userId, cookie } = await settings.player();
    const { status, result } = await send(cookie, { subject: "", message: "Lost" });
    expect([status, result?.fieldErrors]).toEqual([422, { subject: "Subject is required" }]);
    expect(result?.values?.message).toBe("Lost");
    expect((await send(cookie, {})).result?.fieldErrors).toEqual({
      subject: "Subject is required",
      message: "Message is required",
    });
    const kept = settings.app.db.selectFrom("support_messages").where("user_id", "=", userId);
    expect(await kept.selectAll().execute()).toEqual([]);
  });

  test("too often says so, and nothing typed is lost", async () => {
    const { cookie } = await settings.player();
    for (let n = 0; n < 10; n += 1) await send(cookie, { subject: "a", message: `${n}` });
    const { status, result } = await send(cookie, { subject: "a", message: "b" });
    expect([status, result?.formError]).toEqual([429, expect.stringContaining("in an hour")]);
    expect(result?.values?.message).toBe("b");
  });
});

describe("a review", () => {
  const send = (cookie: string, fields: Record<string, string>) =>
    settings.post(review, "/leave-review", cookie, fields);

  test("is kept for who is signed in, whatever the form says", async () => {
    const [me, other] = [await settings.player(), await settings.player()];
    const sent = await send(me.cookie, {
      rating: "4",
      userId: other.userId,
      user_id: other.userId,
    });
    expect([sent.status, sent.to]).toEqual([302, "/settings/leave-review?sent"]);
    const kept = settings.app.db.selectFrom("reviews").select(["user_id", "rating", "comment"]);
    expect(await kept.where("user_id", "in", [me.userId, other.userId]).execute()).toEqual([
      { user_id: me.userId, rating: 4, comment: null },
    ]);
  });

  // spec: 5.17
  test("without a rating says so", async () => {
    const { cookie } = await settings.player();
    const { status, result } = await send(cookie, { comment: "Nice" });
    expect([status, result?.fieldErrors]).toEqual([422, { rating: "Please select a rating" }]);
    expect(result?.values?.comment).toBe("Nice");
  });
});

describe("my data", () => {
  async function download(cookie: string) {
    const response = await (await openSite(settings.app))("/settings/my-data.zip", { cookie });
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    const text = (name: string) => new TextDecoder().decode(files[name]);
    return {
      ...{ status: response.status, headers: response.headers },
      names: Object.keys(files),
      files,
      text,
    };
  }

  test("is one file of JSON, with the statement for spreadsheets, that no cache keeps", async () => {
    const userId = await ada(settings.app.db);
    const zip = await download(await signIn(settings.app, userId));
    expect(zip.status).toBe(200);
    expect(zip.headers.get("Cache-Control")).toBe("no-store");
    expect(zip.headers.get("Content-Type")).toBe("application/zip");
    expect(zip.headers.get("Content-Disposition")).toContain("my-data-2026-11-21.zip");
    for (const name of zip.names.filter((file) => file.endsWith(".json"))) {
      expect(Array.isArray(JSON.parse(zip.text(name))), name).toBe(true);
    }
    expect(zip.names).toContain("README.txt");
    expect(JSON.parse(zip.text("profile.json"))).toMatchObject([{ user_id: userId }]);
    expect(zip.text("statement.csv")).toContain("Credit Top-up,Credit Top-up,100.00,100.00");
    const [, entry] = readXlsx(zip.files["statement.xlsx"]!);
    expect(entry).toContainEqual([100, "#,##0.00"]);
  });

  test("holds nothing of another, nor what would let anybody in", async () => {
    const [me, other] = [await settings.player(), await settings.player()];
    const zip = await download(me.cookie);
    const { password } = await settings.app.db
      .selectFrom("accounts")
      .select("password")
      .where("user_id", "=", me.userId)
      .executeTakeFirstOrThrow();
    const sessions = settings.app.db.selectFrom("sessions").select("token");
    const { token } = await sessions.where("user_id", "=", me.userId).executeTakeFirstOrThrow();
    const all = zip.names.map(zip.text).join();
    for (const secret of [other.userId, other.email, password!, token]) {
      expect(all).not.toContain(secret);
    }
    expect(JSON.parse(zip.text("sessions.json"))).toHaveLength(1);
  });
});
