import { sql } from "kysely";
import type { Db } from "../app/platform/db.server.ts";
import { DEMO_PASSWORD } from "../db/demo/people.ts";

/** A demo player who is signed in. */
export interface Player {
  userId: string;
  cookie: string;
}

export async function signInOverHttp(url: string, db: Db, email: string): Promise<Player> {
  const form = { intent: "sign-in", email, password: DEMO_PASSWORD };
  const answer = await send(url, "/auth", { form });
  const [cookie = ""] = (answer.headers.getSetCookie()[0] ?? "").split(";");
  if (answer.status !== 302) throw new Error(`${email} cannot sign in: ${answer.status}`);
  const { id } = await db
    .selectFrom("users")
    .select("id")
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
  return { userId: id, cookie };
}

/** The status of a join. */
export function join(url: string, { cookie }: Player, gameId: string): Promise<number> {
  return post(url, `/events/${gameId}`, cookie, { intent: "join", priceShown: "10" });
}

/** The status of a posted form; its answer is read, so that the connection is free again. */
export async function post(
  url: string,
  path: string,
  cookie: string,
  form: Record<string, string>,
): Promise<number> {
  const answer = await send(url, path, { form, cookie });
  await answer.text();
  return answer.status;
}

/** Published games in the next months, nobody in them. */
export async function addRaceGames(
  db: Db,
  { count, spots }: { count: number; spots: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into games (title, date, start_time, end_time, status, max_players, venue_id)
    select 'Race ' || day, current_date + 30 + day, '18:00', '19:30', 'Published', ${spots}::int,
      (select id from venues order by name limit 1)
    from generate_series(1, ${count}::int) as day
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

function send(url: string, path: string, { form, cookie = "" }: Sent): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookie },
    body: new URLSearchParams(form),
  });
}

interface Sent {
  form: Record<string, string>;
  cookie?: string;
}
