import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip, type Gzip } from "node:zlib";
import pg from "pg";

/** What pg_basebackup asks for, with the log that makes it consistent, as one .tar.gz. */
export async function writeBaseBackup(session: pg.Client, file: string): Promise<void> {
  const { host, port, user } = session;
  const settings = { host, port, user, replication: "true" };
  const client = new pg.Client(settings);
  client.on("error", () => {});
  await client.connect();
  const archive = createGzip({ level: 1 });
  try {
    receive(client, archive);
    await pipeline(archive, createWriteStream(file, { flags: "wx", mode: 0o600 }));
  } finally {
    await client.end();
  }
}

/** A message begins with its kind: n (the name of an archive), d (its bytes), p (progress). */
function receive(client: pg.Client, archive: Gzip): void {
  const command = "BASE_BACKUP (LABEL 'kickabout', CHECKPOINT 'fast', WAL true, MANIFEST 'no')";
  const { stream } = client.connection;
  let archives = 0;
  const query = new pg.Query(command, (error: Error | undefined) => {
    if (error) archive.destroy(error);
    else if (archives === 1) archive.end();
    else
      archive.destroy(new Error(`The database has ${archives} tablespaces; one can be backed up`));
  });
  const handleCopyData = ({ chunk }: { chunk: Buffer }) => {
    const kind = String.fromCharCode(chunk[0]!);
    if (kind === "n") archives += 1;
    // A copy, because pg reads what comes next into the same memory.
    const bytes = kind === "d" && archives === 1 ? Buffer.from(chunk.subarray(1)) : null;
    if (bytes && !archive.write(bytes)) stream.pause();
  };
  archive.on("drain", () => stream.resume());
  client.query(Object.assign(query, { handleCopyData }));
}
