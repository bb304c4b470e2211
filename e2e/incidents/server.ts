import * as fs from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";
import { createPostgres, ownFolder } from "#test/own-postgres.ts";
import { administer } from "#test/postgres.ts";
import { installPrograms } from "./substitutes.ts";
import { openSmallDisk, type SmallDisk } from "./small-disk.ts";

/** What a server has of its own, and loses when it is lost. */
const OWN = ["etc", "opt", "root", "var", "postgres"];

export interface ServerOptions {
  /** If set, data and backups are on a disk of this size. */
  diskMb?: number;
  /** Lines of PostgreSQL's configuration. */
  postgresSettings?: string[];
}

/** Sections 1 to 3 of docs/deploy.md, in a folder: it is empty, but for what is around the server. */
export async function installServer(
  root: string,
  { diskMb, postgresSettings = [] }: ServerOptions = {},
) {
  const at = (...names: string[]) => path.join(root, ...names);
  const postgresFolder = at("postgres");
  const bin = installPrograms(root, postgresFolder);
  const folders = ["var/lib/kickabout/uploads", "var/backups/kickabout", "opt/kickabout", "root"];
  for (const folder of folders) fs.mkdirSync(at(folder), { recursive: true });
  fs.symlinkSync(projectRoot, at("opt/kickabout/1"));
  fs.symlinkSync(at("opt/kickabout/1"), at("opt/kickabout/current"));
  let disk: SmallDisk | null = null;
  if (diskMb) {
    for (const folder of [postgresFolder, at("postgres/data")]) ownFolder(folder);
    const onIt = [at("postgres/data"), at("var/lib/kickabout"), at("var/backups/kickabout")];
    disk = await openSmallDisk(root, { megabytes: diskMb, folders: onIt });
  }
  const begin = disk ? [...disk.enter, ...disk.asPostgres] : [];
  const postgres = createPostgres(postgresFolder, postgresSettings, "postgres", begin);
  postgres.start();
  const superuser = { connectionString: postgres.url("postgres") };
  await administer(superuser, "create role kickabout login createdb");
  await administer(superuser, "create database kickabout owner kickabout");
  placeCluster(root, postgresFolder);
  return { bin, disk, postgres };
}

/** Its disk is gone, with everything on it. */
export function removeServer(root: string) {
  for (const name of OWN) fs.rmSync(path.join(root, name), { recursive: true, force: true });
}

/** Where Debian has it, for its tools and for the page's paths. */
function placeCluster(root: string, postgresFolder: string) {
  const at = (...names: string[]) => path.join(root, ...names);
  const data = path.join(postgresFolder, "data");
  const log = at("var/log/postgresql/postgresql-17-main.log");
  for (const folder of ["var/lib/postgresql/17", "var/log/postgresql", "etc/postgresql/17/main"]) {
    fs.mkdirSync(at(folder), { recursive: true });
  }
  fs.symlinkSync(data, at("var/lib/postgresql/17/main"));
  fs.symlinkSync(path.join(postgresFolder, "log"), log);
  const settings = `data_directory = '${data}'\nport = 5432\nunix_socket_directories = '${postgresFolder}'\n`;
  fs.writeFileSync(at("etc/postgresql/17/main/postgresql.conf"), settings);
}
