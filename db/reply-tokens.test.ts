import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { replyText } from "#app/features/support/reply-text.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { useDatabase } from "#test/db.ts";

const database = useDatabase();
const FILE = path.join(projectRoot, "db", "migrations", "041_reply_threads.sql");
const TOKEN = "0123456789abcdef0123456789ABCDEF";
const broken = (by: string) => `support+${TOKEN.slice(0, 9)}${by}${TOKEN.slice(9)}${by}@k.example`;

const BODIES = [
  `Is support+${TOKEN}@k.example right?`,
  `mailto:support%2b${TOKEN}%40k.example and support%2B${TOKEN}@k.example`,
  `support+${TOKEN}@k.example <support+${TOKEN}@k.example>`,
  ...["\n", "\r\n", "\n> ", "\n> > ", " ", "\u00a0", "\t"].map(
    (by) => `On it ${broken(by)} wrote:`,
  ),
  `Not one: support+${TOKEN}0@k.example, support+${TOKEN.slice(1)}@k.example, +${TOKEN}`,
];

test("secrets in replies of earlier versions are removed in each form in which new ones are", async () => {
  const client = await database.pool.connect();
  const [, update = ""] = /(update ticket_replies[^;]*;)/.exec(readFileSync(FILE, "utf8")) ?? [];
  try {
    await client.query("create temporary table ticket_replies (n integer, body text)");
    await client.query(
      "insert into ticket_replies select * from unnest($1::integer[], $2::text[])",
      [BODIES.map((_, n) => n), BODIES],
    );
    await client.query(update);
    const { rows } = await client.query("select body from ticket_replies order by n");
    const bodies = rows.map(({ body }) => body.replaceAll("\r\n", "\n"));
    expect(bodies).toEqual(BODIES.map((body) => replyText(body, 0, "")));
    expect(bodies.slice(0, -1).join()).not.toMatch(/[\da-f]{9}/i);
    expect(bodies.at(-1)).toBe(BODIES.at(-1));
  } finally {
    client.release(true);
  }
});
