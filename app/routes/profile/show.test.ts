import { describe, expect, test } from "vitest";
import { aPlayedGame, playedGames } from "#test/games.ts";
import { useProfilePage } from "#test/profile-page.ts";
import { visit } from "#test/visit.ts";
import { balanceCents, ben, everything } from "#test/fixtures.ts";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import { action, loader } from "./show.tsx";

const page = useProfilePage();

const edit = {
  intent: "edit-profile",
  firstName: "Åsa",
  lastName: "Öberg",
  dateOfBirth: "2000-11-22",
  position: "GK",
  nationalityCode: "CI",
  isDownToPlay: "1",
};
const editForm = (sports: string[], otherSport = "") => {
  const form = new URLSearchParams({ ...edit, otherSport });
  for (const sport of sports) form.append("sports", sport);
  return form;
};

describe("the page", () => {
  // spec: 2.25, 3.27
  test("a player who has only signed up", async () => {
    const shown = await page.open();
    expect(shown).toMatchObject({
      name: expect.stringMatching(/^Ben Number/),
      profilePictureUrl: null,
      age: "25 years",
      position: null,
      country: null,
      isAdmin: false,
      stats: {
        numbers: [{ label: "Games played", value: "0" }],
        events: "Events joined 0 · Events created 0",
      },
      favouriteVenue: null,
      challenge: {
        state: "open",
        message: "This month: complete 5 more games to earn 10 credits.",
        progress: "0 of 5 games",
        resets: "Progress resets on Dec 1.",
      },
      entries: [],
    });
    expect(shown.countries.length).toBeGreaterThan(190);
  });

  test("an admin is known", async () => {
    const profile = page.app.db
      .selectFrom("profiles")
      .select("email")
      .where("user_id", "=", page.id);
    await makeAdmin(page.app.db, (await profile.executeTakeFirstOrThrow()).email, "test");
    expect((await page.open()).isAdmin).toBe(true);
  });

  test("a country without a flag is still named", async () => {
    await page.app.db
      .updateTable("profiles")
      .set({ nationality: "Åland", nationality_code: "AX" })
      .where("user_id", "=", page.id)
      .execute();
    expect((await page.open()).country).toEqual({ name: "Åland", flag: null });
  });

  // spec: 2.113, 6.4
  test.each([loader, action])("signed out: to the front page", async (run) => {
    const { status, headers } = await visit(page.app, run, { path: "/profile" });
    expect([status, headers.get("Location")]).toEqual([302, "/"]);
  });
});

describe("editing", () => {
  // spec: 1.5, 2.114, 7.9, 7.10, 8.27
  test("what was sent is stored, and shown", async () => {
    const { status, headers } = await page.post(
      editForm(["Tennis", "Football", "Other"], " Padel "),
    );
    expect([status, headers.get("Location")]).toEqual([302, "/profile"]);
    expect(await page.toastOf(headers)).toMatchObject({
      title: "Profile updated",
      description: "Your profile has been successfully updated.",
    });
    expect(await page.open()).toMatchObject({
      name: "Åsa Öberg",
      age: "25 years",
      position: { key: "GK", name: "Goalkeeper" },
      country: { name: "Côte d'Ivoire", flag: "/flags/CI.svg" },
      isDownToPlay: true,
      sportsInterests: ["Football", "Tennis", "Padel"],
      values: { sports: "Football\nTennis\nOther", otherSport: "Padel", isDownToPlay: "1" },
    });
    const user = page.app.db.selectFrom("users").select("name").where("id", "=", page.id);
    expect(await user.executeTakeFirst()).toEqual({ name: "Åsa Öberg" });
  });

  test("what is left out is emptied", async () => {
    await page.post(editForm(["Tennis"]));
    const { firstName, lastName, dateOfBirth } = edit;
    await page.post({ intent: "edit-profile", firstName, lastName, dateOfBirth });
    expect(await page.open()).toMatchObject({
      position: null,
      country: null,
      isDownToPlay: false,
      sportsInterests: [],
    });
  });

  // spec: 8.26
  test("a mistake is named beside its field, and what was typed comes back", async () => {
    const before = await everything(page.app.db);
    const form = editForm(["Tennis", "Other"], "Padel");
    form.set("firstName", "R2D2");
    form.set("dateOfBirth", "2015-01-01");
    const { status, result } = await page.post(form);
    expect(status).toBe(422);
    expect(result).toMatchObject({
      form: "edit-profile",
      title: "Failed to update profile. Please try again.",
      fieldErrors: {
        firstName: expect.stringContaining("can only contain letters"),
        dateOfBirth: "You must be between 13 and 120 years old",
      },
      values: { firstName: "R2D2", sports: "Tennis\nOther", otherSport: "Padel" },
    });
    expect(await everything(page.app.db)).toEqual(before);
  });

  // spec: 7.10, 7.12
  test("only one's own profile, and only what the dialog shows", async () => {
    const other = await ben(page.app.db);
    const rowOf = (userId: string) =>
      page.app.db
        .selectFrom("profiles")
        .selectAll()
        .where("user_id", "=", userId)
        .executeTakeFirst();
    const [theirs, mine] = [await rowOf(other), await rowOf(page.id)];
    const form = editForm([]);
    for (const field of ["user_id", "userId", "id"]) form.append(field, other);
    for (const field of ["wallet_balance_eur", "email", "role"]) form.append(field, "admin");
    await page.post(form);
    expect(await rowOf(other)).toEqual(theirs);
    expect(await rowOf(page.id)).toMatchObject({
      email: mine?.email,
      wallet_balance_eur: "0.00",
      first_name: "Åsa",
    });
  });

  // spec: 8.26
  test("when it cannot be stored, the page says so and keeps what was typed", async () => {
    const { status, result } = await page.post(editForm(["Tennis", "Futsal"]), page.broken());
    expect([status, result]).toMatchObject([
      500,
      {
        title: "Failed to update profile. Please try again.",
        formError: "Nothing was changed.",
        values: { firstName: "Åsa", sports: "Tennis\nFutsal" },
      },
    ]);
  });
});

describe("the challenge", () => {
  const claim = { intent: "claim-reward" };

  // spec: 4.30, 8.28
  test("four games, one more, and no reward yet", async () => {
    await playedGames(page.app.db, page.id, 4);
    const { challenge } = await page.open();
    expect(challenge.message).toBe("This month: complete 1 more game to earn 10 credits.");
    expect(await page.post(claim)).toMatchObject({
      status: 409,
      result: {
        form: "claim-reward",
        title: "Failed to claim reward. Please try again.",
        formError: "First complete 1 more game this month.",
      },
    });
    expect(await balanceCents(page.app.db, page.id)).toBe(0);
  });

  // spec: 4.32, 8.29
  test("five games are claimed, once", async () => {
    await playedGames(page.app.db, page.id, 5);
    expect((await page.open()).challenge.state).toBe("earned");
    const { status, headers } = await page.post(claim);
    expect([status, headers.get("Location")]).toEqual([302, "/profile"]);
    expect((await page.toastOf(headers))?.title).toBe("€10 has been added to your wallet!");
    const shown = await page.open();
    expect(shown.balance.credits).toBe("10 credits");
    expect(shown.challenge).toMatchObject({
      state: "claimed",
      message: expect.stringMatching(/^Reward claimed: .* starts on Dec 1\.$/),
    });
    expect(shown.entries).toMatchObject([
      { name: "Transaction", note: "Monthly challenge", amount: { shown: "+10" } },
    ]);
    expect(await page.post(claim)).toMatchObject({
      status: 409,
      result: { formError: "This month's reward is claimed already." },
    });
  });

  test("more than five are five", async () => {
    await playedGames(page.app.db, page.id, 7);
    expect((await page.open()).challenge.progress).toBe("5 of 5 games");
  });

  test("in December the next one starts on Jan 1", async () => {
    const now = new Date("2026-12-10T12:00:00Z");
    await aPlayedGame(page.app.db, { playerId: page.id, endedAt: now });
    const { challenge } = await page.open({ ...page.app, now: () => now });
    expect(challenge).toMatchObject({ done: 1, resets: "Progress resets on Jan 1." });
  });

  // spec: 8.28
  test("when it cannot be written, the page says so", async () => {
    await playedGames(page.app.db, page.id, 5);
    expect(await page.post(claim, page.broken())).toMatchObject({
      status: 500,
      result: { title: "Failed to claim reward. Please try again." },
    });
  });
});

test.each([{}, { intent: "" }, { intent: "delete" }])("%j is an unknown form", async (fields) => {
  const before = await everything(page.app.db);
  const { status } = await page.post(fields as Record<string, string>);
  expect(status).toBe(400);
  expect(await everything(page.app.db)).toEqual(before);
});
