import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { weeksUntil } from "#app/platform/date-ranges.server.ts";
import { useDatabase } from "#test/db.ts";
import { ada, hoursLater, NOW, somePlayers } from "#test/fixtures.ts";
import { anonymizePlayer, countPlayers } from "./profiles.server.ts";

const database = useDatabase();

test("counts players, and those of each week, without deleted accounts", async () => {
  const [old, lastWeek, thisWeek, gone] = await somePlayers(database.db, 4, 0);
  const opened = (userId: string, hours: number) =>
    database.pool.query("update profiles set created_at = $2 where user_id = $1", [
      userId,
      hoursLater(hours),
    ]);
  await opened(old!, -24 * 40);
  await opened(lastWeek!, -24 * 7);
  await opened(thisWeek!, -1);
  await opened(gone!, -2);
  await database.pool.query("update profiles set deleted_at = now() where user_id = $1", [gone]);
  expect(await countPlayers(database.db, { weeks: weeksUntil(NOW, 2), now: NOW })).toEqual({
    total: 3,
    newPlayers: [1, 1],
  });
});

const PERSONAL = {
  first_name: "Zyxwyn",
  last_name: "Qwfpgj",
  date_of_birth: "2001-02-28",
  email: "zyxwyn@uni.example",
  school_year: "Doctoral",
  major: "Physics",
  phone: "+358 40 9988776",
  sports_interests: ["Padel"],
  join_message_posted: true,
  is_down_to_play: true,
  position: "GK",
  nationality: "Tuvalu",
  nationality_code: "TV",
  profile_picture_url: "/files/avatars/zyx-512.webp",
  deleted_at: null,
} as const;
const NOT_ERASED = [
  "user_id",
  "created_at",
  "wallet_balance_eur",
  "wallet_debt_eur",
  "had_free_session",
];
/** Computed from other columns. */
const GENERATED = ["search_words", "sort_name"];

test("an account's deletion changes every column of the profile that is about the person", async () => {
  const { db } = database;
  const userId = await ada(db);
  const change = db.updateTable("profiles").set({ ...PERSONAL, sports_interests: ["Padel"] });
  await change.where("user_id", "=", userId).execute();
  const find = () =>
    db.selectFrom("profiles").selectAll().where("user_id", "=", userId).executeTakeFirstOrThrow();
  const before: Record<string, unknown> = await find();
  const pseudonym = { email: "deleted@deleted.invalid" };
  await db.transaction().execute((tx) => anonymizePlayer(tx, userId, pseudonym, NOW));
  const after: Record<string, unknown> = await find();
  const unchanged = Object.keys(after).filter((name) =>
    isDeepStrictEqual(before[name], after[name]),
  );
  expect(unchanged.toSorted()).toEqual(NOT_ERASED.toSorted());
  const filled = [...Object.keys(PERSONAL), ...GENERATED, ...NOT_ERASED];
  expect(Object.keys(after).toSorted()).toEqual(filled.toSorted());
});
