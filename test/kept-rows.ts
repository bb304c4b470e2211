import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";

/**
 * Keeps a copy of all rows as they are now. From here on the database notes which tables are written,
 * so that only those are brought back or read again.
 */
export async function keepRows(db: Db): Promise<void> {
  const { rows: tables } = await sql<{ name: string; columns: string }>`
    select quote_ident(table_name) as name, string_agg(quote_ident(column_name), ', ') as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
    group by table_name`.execute(db);
  const keep = tables.map(
    ({ name, columns }) => `
      create table kept.${name} as table public.${name};
      insert into kept._tables values ('${name}', '${columns}', kept._digest('${name}'));
      create or replace trigger kept_note after insert or update or delete or truncate
        on public.${name} for each statement execute function kept._note();`,
  );
  await sql.raw(`drop schema if exists kept cascade; ${FUNCTIONS} ${keep.join("")}`).execute(db);
}

/** Brings back all rows as they were kept, whatever has been done since. */
export async function restoreRows(db: Db): Promise<void> {
  await sql`select kept._restore()`.execute(db);
}

/** Digests every row of every table but what counts tries of a password, and the queued jobs. */
export async function digestRows(db: Db): Promise<string> {
  const { rows } = await sql<{ digest: string }>`select kept._digest_all() as digest`.execute(db);
  return rows[0]!.digest;
}

// Restores as a replica: no trigger counts, and no table keeps its rows.
const FUNCTIONS = `
  create schema kept;
  create table kept._tables (name text primary key, columns text not null, digest text);
  create table kept._written (name text not null);
  create function kept._note() returns trigger language plpgsql as $$
    begin
      insert into kept._written values (quote_ident(tg_table_name));
      return null;
    end $$;
  create function kept._digest(name text) returns text language plpgsql as $$
    declare digest text;
    begin
      execute 'select md5(string_agg(t::text, ''|'' order by t::text)) from public.' || name || ' t'
        into digest;
      return digest;
    end $$;
  create function kept._digest_all() returns text language sql as $$
    select concat_ws('|',
      (select string_agg(coalesce(case when name in (select name from kept._written)
        then kept._digest(name) else digest end, '-'), '|' order by name)
        from kept._tables where name <> 'rate_limits'),
      (select md5(string_agg(t::text, '|' order by t::text)) from pgboss.job t))
    $$;
  create function kept._restore() returns void language plpgsql as $$
    declare one record;
    begin
      perform set_config('session_replication_role', 'replica', true);
      for one in select * from kept._tables where name in (select name from kept._written) loop
        execute format('delete from public.%1$s; insert into public.%1$s (%2$s)
          overriding system value select %2$s from kept.%1$s', one.name, one.columns);
      end loop;
      delete from kept._written;
    end $$;`;
