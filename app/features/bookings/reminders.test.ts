import { beforeEach, describe, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { pageBehind } from "#test/email-links.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { hoursLater, NOW } from "#test/fixtures.ts";
import { aBooking, waitingIn } from "#test/notifications.ts";
import { SWITCHES } from "#app/notices.server.ts";
import { saveSettings, type Settings } from "#app/features/notifications/settings.server.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { wallClock } from "#app/platform/clock.ts";
import { cancelBooking } from "./cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { type ReminderJob, sendReminders } from "./reminders.server.ts";

const database = useDatabase(12);
beforeEach(async () => {
  await database.pool.query(
    `delete from notifications_sent; update games set status = 'Draft';
     do $$ begin if to_regclass('pgboss.job') is not null then delete from pgboss.job; end if; end $$`,
  );
});

const remind = (now: Date) => sendReminders(database.db, database.jobs, now);
const waiting = async () =>
  (await waitingIn(database, "mail.send")).filter((job) => "bookingId" in job && "version" in job);
const queued = async () => (await waiting()) as ReminderJob[];
const kindsOf = async () => (await waiting()).map(({ kind }) => kind);

/** The mails that the waiting jobs become at this time. */
async function mailsAt(now: Date) {
  const sent: Mail[] = [];
  const app = testApp(database, () => now);
  const jobs = mailJobs({ ...app, mailer: async (mail) => void sent.push(mail) });
  for (const { kind, ...job } of await waiting()) await jobs[kind](job as never);
  return sent;
}

async function move(gameId: string, startsIn: number) {
  const { date, time } = wallClock(hoursLater(startsIn));
  const games = database.db.updateTable("games").where("id", "=", gameId);
  await games
    .set({ date, start_time: time, end_time: wallClock(hoursLater(startsIn + 1)).time })
    .execute();
}

describe("the reminder of the day before", () => {
  test("goes two hours before the refund deadline and says what cancelling gives back", async () => {
    const { bookingId, gameId } = await aBooking(database, { startsIn: 26 });
    await remind(hoursLater(-0.1));
    expect(await queued()).toEqual([]);
    await remind(NOW);
    expect(await queued()).toMatchObject([{ bookingId, kind: "day-before" }]);
    const [mail, ...others] = await mailsAt(NOW);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("Reminder: Sun 14:00, Nov 22");
    expect(mail?.text).toContain("Cancel by Sat 14:00 to get 9.01 credits back.");
    expect(pageBehind(/<a[^>]*href="([^"]+)"/.exec(mail?.html ?? "")?.[1])).toBe(
      `http://kickabout.test/events/${gameId}`,
    );
    expect((await mailsAt(hoursLater(3)))[0]?.text).toContain(
      "Cancel, and 9.01 credits come back once somebody takes your spot.",
    );
  });

  test("to somebody suspended, who cannot sign in, says whom to write to", async () => {
    const { playerId } = await aBooking(database, { startsIn: 26 });
    await database.pool.query(
      "update users set suspended_at = now(), suspended_reason = 'x' where id = $1",
      [playerId],
    );
    await remind(NOW);
    const [mail] = await mailsAt(NOW);
    expect(mail?.text).toContain("If you can't make it, write to hello@kickabout.example");
  });

  test("of a seat that the organiser gave says whom to write to", async () => {
    const { bookingId } = await aBooking(database, { startsIn: 26 });
    const bookings = database.db.updateTable("bookings").where("id", "=", bookingId);
    await bookings.set({ payment_status: "Unpaid" }).execute();
    await remind(NOW);
    const [mail] = await mailsAt(NOW);
    expect(mail?.text).toContain("If you can't make it, write to hello@kickabout.example");
    expect(mail?.text).not.toContain("My Games");
  });

  test("that falls into the night goes in the evening before", async () => {
    // Kick-off on Monday at 8:00; 26 hours before it is 6:00 on Sunday.
    await aBooking(database, { startsIn: 44 });
    await remind(hoursLater(8.9));
    expect(await queued()).toEqual([]);
    await remind(hoursLater(9));
    expect(await kindsOf()).toEqual(["day-before"]);
  });

  test("waits for the morning where nothing ran in time", async () => {
    await aBooking(database, { startsIn: 34 });
    await remind(hoursLater(10));
    await remind(hoursLater(19.9));
    expect(await queued()).toEqual([]);
    await remind(hoursLater(20));
    expect(await kindsOf()).toEqual(["day-before"]);
  });

  test("does not go to who booked later than that", async () => {
    await aBooking(database, { startsIn: 25, bookedAt: -0.5 });
    await remind(NOW);
    expect(await queued()).toEqual([]);
    await aBooking(database, { startsIn: 25, bookedAt: -1 });
    await remind(NOW);
    expect(await queued()).toHaveLength(1);
  });

  test("is left out once the other one is due", async () => {
    await aBooking(database, { startsIn: 3 });
    await remind(NOW);
    expect(await kindsOf()).toEqual(["soon"]);
  });
});

describe("the reminder three hours before", () => {
  test("says where it is and how to get there", async () => {
    const { bookingId, gameId } = await aBooking(database, { startsIn: 3 });
    await database.pool.query("update venues set maps_url = 'https://maps.example/1'");
    await remind(hoursLater(-0.1));
    expect(await kindsOf()).toEqual(["day-before"]);
    await remind(NOW);
    expect((await queued())[1]).toMatchObject({ bookingId, kind: "soon" });
    const mail = (await mailsAt(NOW)).at(-1)!;
    expect(mail.subject).toBe("See you at Sat 15:00, Nov 21");
    expect(mail.text).toContain("Campus Hall, Otakaari 1, Espoo");
    expect(mail.html).toContain('href="https://maps.example/1"');
    expect(pageBehind(/<a[^>]*href="([^"]+)"/.exec(mail.html)?.[1])).toBe(
      `http://kickabout.test/events/${gameId}`,
    );
  });

  test("goes at night too, since kick-off is near", async () => {
    await aBooking(database, { startsIn: 15 });
    await remind(hoursLater(12));
    expect(await kindsOf()).toEqual(["soon"]);
  });

  test("does not go once the game has begun", async () => {
    await aBooking(database, { startsIn: 3 });
    await remind(hoursLater(3));
    expect(await queued()).toEqual([]);
    await remind(hoursLater(2.9));
    expect(await mailsAt(hoursLater(3))).toEqual([]);
  });
});

// Clocks go back on October 25, 2026, and forward on March 28, 2027.
test.each([
  ["2026-10-25", "12:00", "2026-10-24T08:00:00Z"],
  ["2027-03-28", "12:00", "2027-03-27T07:00:00Z"],
])("on %s hours are hours, whatever the clocks do", async (date, start_time, moment) => {
  const { gameId } = await aBooking(database, { startsIn: 240 });
  const games = database.db.updateTable("games").where("id", "=", gameId);
  await games.set({ date, start_time, end_time: "13:00" }).execute();
  await database.pool.query("update bookings set created_at = '2026-10-01'");
  await remind(new Date(Date.parse(moment) - 60_000));
  expect(await queued()).toEqual([]);
  await remind(new Date(moment));
  expect(await kindsOf()).toEqual(["day-before"]);
});

describe("each is sent once", () => {
  test("however often it runs, and by however many at once", async () => {
    for (let n = 0; n < 3; n += 1) await aBooking(database, { startsIn: 26 });
    await Promise.all(Array.from({ length: 6 }, () => remind(NOW)));
    await remind(hoursLater(0.1));
    expect(await queued()).toHaveLength(3);
  });

  test("where a run breaks off once their jobs are written", async () => {
    for (let n = 0; n < 3; n += 1) await aBooking(database, { startsIn: 26 });
    const enqueueEmails: typeof database.jobs.enqueueEmails = async (...emails) => {
      await database.jobs.enqueueEmails(...emails);
      throw new Error("the process ends");
    };
    const broken = sendReminders(database.db, { ...database.jobs, enqueueEmails }, NOW);
    await expect(broken).rejects.toThrow("the process ends");
    expect(await queued()).toEqual([]);
    await remind(NOW);
    expect(await queued()).toHaveLength(3);
  });

  test("more than fit into a batch", async () => {
    const games = [];
    for (let n = 0; n < 3; n += 1) {
      games.push((await aBooking(database, { startsIn: 26, spots: 80 })).gameId);
    }
    await database.pool.query(
      `with added as (
         insert into users (name, email) select 'P', 'many' || n || '@uni.example'
         from generate_series(1, 75) n returning id, email
       ), players as (
         insert into profiles (user_id, email, first_name, last_name, date_of_birth, school_year, major)
         select id, email, 'A', 'P', '2001-05-17', 'Master', 'Physics' from added returning user_id
       )
       insert into bookings (user_id, game_id, payment_status, created_at)
       select user_id, game_id, 'Paid', $2 from players, unnest($1::uuid[]) game_id`,
      [games, hoursLater(-72)],
    );
    await remind(NOW);
    const sent = await queued();
    expect(sent).toHaveLength(228);
    expect(new Set(sent.map(({ bookingId }) => bookingId)).size).toBe(228);
  });
});

describe("a game", () => {
  test("that is moved is reminded of again, and not of its former time", async () => {
    const { gameId } = await aBooking(database, { startsIn: 26 });
    await remind(NOW);
    await move(gameId, 50);
    expect(await mailsAt(NOW)).toEqual([]);
    await remind(NOW);
    expect(await queued()).toHaveLength(1);
    await remind(hoursLater(24));
    expect(await queued()).toHaveLength(2);
    expect((await mailsAt(hoursLater(24))).map(({ subject }) => subject)).toEqual([
      "Reminder: Mon 14:00, Nov 23",
    ]);
  });

  test.each(["left", "called off", "unpublished"])("that is %s has no reminder", async (how) => {
    const { bookingId, gameId, playerId } = await aBooking(database, { startsIn: 26 });
    const end = async () => {
      if (how === "left") {
        await cancelBooking(database.db, database.jobs, { bookingId, playerId, now: NOW });
      } else if (how === "called off") {
        await cancelGame(database.db, database.jobs, { gameId, now: NOW });
      } else {
        const games = database.db.updateTable("games").where("id", "=", gameId);
        await games.set({ status: "Draft" }).execute();
      }
    };
    await remind(NOW);
    expect(await mailsAt(NOW)).toHaveLength(1);
    await end();
    expect(await mailsAt(NOW), "queued before").toEqual([]);
    await database.pool.query("delete from notifications_sent; delete from pgboss.job");
    await remind(NOW);
    expect(await queued()).toEqual([]);
  });
});

test("who has switched the emails off gets none, also one that waits already", async () => {
  const { playerId } = await aBooking(database, { startsIn: 26 });
  await remind(NOW);
  const on = { email: true, push: true };
  const off = { ...on, email: false };
  const kinds = SWITCHES.map(({ kind }) => [kind, on]);
  const settings = { ...(Object.fromEntries(kinds) as Settings), "day-before": off };
  await saveSettings(database.db, playerId, settings);
  expect(await mailsAt(NOW)).toEqual([]);
  await saveSettings(database.db, playerId, { ...settings, "day-before": on, soon: off });
  expect(await mailsAt(NOW)).toHaveLength(1);
});

test("a reminder carries one click to unsubscribe, and a link that says so", async () => {
  await aBooking(database, { startsIn: 26 });
  await remind(NOW);
  const [mail] = await mailsAt(NOW);
  const url =
    /^<(http:\/\/kickabout\.test\/unsubscribe\/[\w-]+)>, <mailto:hello@kickabout\.example\?subject=Unsubscribe>$/.exec(
      mail?.headers?.["List-Unsubscribe"] ?? "",
    )?.[1];
  expect(url).toBeDefined();
  expect(mail?.headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  expect(mail?.html).toContain(`href="${url}"`);
  expect(mail?.text).toContain("Turn these emails off");
});
