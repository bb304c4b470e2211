import { beforeEach, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { addSignUp } from "#test/accounts.ts";
import { alignPersons, registerAccount } from "./accounts.server.ts";

const database = useDatabase();
beforeEach(async () => {
  await database.pool.query("delete from users");
  await database.pool.query("delete from sign_ups");
});

const add = (email: string) =>
  database.db
    .transaction()
    .execute((tx) => registerAccount(tx, { email, name: "Ada Player", passwordHash: "none" }));
async function persons(): Promise<Record<string, string>> {
  const users = database.db.selectFrom("users").select(["email", "person_email"]);
  const rows = await users.orderBy("email").execute();
  return Object.fromEntries(rows.map(({ email, person_email }) => [email, person_email]));
}

test("persons follow the EMAIL_TAGS setting both ways", async () => {
  await add("ann+a@uni.example");
  await addSignUp(testApp(database), { email: "ben+b@uni.example" });
  const signUps = () => database.db.selectFrom("sign_ups").select("person_email").execute();
  for (const n of [1, 2]) {
    await alignPersons(database.db, "same");
    expect(await persons(), `${n}`).toEqual({ "ann+a@uni.example": "ann@uni.example" });
    expect(await signUps()).toEqual([{ person_email: "ben@uni.example" }]);
  }
  expect(await add("ann@uni.example").catch(() => "failed")).toBeNull();
  await alignPersons(database.db, "distinct");
  expect(await persons()).toEqual({ "ann+a@uni.example": "ann+a@uni.example" });
  expect(await signUps()).toEqual([{ person_email: "ben+b@uni.example" }]);
  expect(await add("ann@uni.example")).not.toBeNull();
});

test("existing accounts of one person all stay; the one without a tag is the person's", async () => {
  for (const tag of ["+b", "", "+a"]) await add(`ann${tag}@uni.example`);
  for (const tag of ["+2", "+1"]) await add(`ben${tag}@uni.example`);
  await alignPersons(database.db, "same");
  expect(await persons()).toEqual({
    "ann@uni.example": "ann@uni.example",
    "ann+a@uni.example": "ann+a@uni.example",
    "ann+b@uni.example": "ann+b@uni.example",
    "ben+1@uni.example": "ben+1@uni.example",
    "ben+2@uni.example": "ben@uni.example",
  });
});

test("a row written or changed by SQL is identified by its address", async () => {
  await database.pool.query(
    "insert into users (name, email, email_verified) values ('Ada', 'ada@uni.example', true)",
  );
  expect(await persons()).toEqual({ "ada@uni.example": "ada@uni.example" });
  await database.pool.query("update users set email = 'ada.p@uni.example'");
  expect(await persons()).toEqual({ "ada.p@uni.example": "ada.p@uni.example" });
});
