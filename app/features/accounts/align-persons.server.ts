import { type RawBuilder, sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import type { EmailTags } from "#app/platform/env.server.ts";

/**
 * Brings what the rows say of persons into line with EMAIL_TAGS, which may have changed since they
 * were written. Accounts that are one person's now all stay; the one without a tag, else the
 * oldest, is the person's, and the others are known by their whole address alone.
 */
export async function alignPersons(db: Db, tags: EmailTags): Promise<void> {
  const person = personSql(tags);
  await db.transaction().execute(async (tx) => {
    const { rows } = await outOfLine(person).execute(tx);
    if (rows.length > 0) {
      // Nobody gets an account between what is read and what is written.
      await sql`lock table users in share row exclusive mode`.execute(tx);
      await sql`update users set person_email = wanted.person
        from (${outOfLine(person)}) wanted where users.id = wanted.id`.execute(tx);
    }
    await sql`update sign_ups set person_email = ${person}
      where person_email <> ${person}`.execute(tx);
  });
}

/** Accounts whose person should be another one that nobody else is. */
function outOfLine(person: RawBuilder<string>) {
  return sql`select distinct on (person) id, person
    from (select id, email, person_email, created_at, ${person} as person from users) people
    where person_email <> person and not exists (
      select from users others where others.person_email = people.person and others.id <> people.id)
    order by person, email = person desc, created_at, id`;
}

/** As personOf in rules.ts. */
function personSql(tags: EmailTags): RawBuilder<string> {
  return tags === "same" ? sql`regexp_replace(email, '^([^+@]+)\\+[^@]*@', '\\1@')` : sql`email`;
}
