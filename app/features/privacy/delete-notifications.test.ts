import { expect, test } from "vitest";
import { useErasure } from "#test/erasure.ts";
import { NOW } from "#test/fixtures.ts";
import { aDevice } from "#test/push-service.ts";

const scenario = useErasure();

test("deleting an account deletes what was chosen and sent as notifications, and the devices", async () => {
  const { db } = scenario.app;
  const [who, other] = [await scenario.player(), await scenario.player()];
  for (const { userId: user_id } of [who, other]) {
    await db.insertInto("notification_settings").values({ user_id, kind: "soon" }).execute();
    const sent = { user_id, kind: "soon", subject: "a game", sent_at: NOW };
    await db.insertInto("notifications_sent").values(sent).execute();
    await aDevice(db, user_id, `https://push.example/${user_id}`);
  }
  expect(await scenario.remove(who)).toEqual({ ok: true });
  const tables = ["notification_settings", "notifications_sent", "push_subscriptions"] as const;
  for (const table of tables) {
    const owners = await db.selectFrom(table).select("user_id").execute();
    expect(owners, table).toEqual([{ user_id: other.userId }]);
  }
});
