import { closeSync, openSync, writeSync } from "node:fs";
import { gzipSync } from "node:zlib";
import pg from "pg";

/** What pg_basebackup asks for, with the log that makes it consistent, as one .tar.gz. */
export async function writeBaseBackup(session: pg.Client, file: string): Promise<void> {
  const { host, port, user } = session;
  const settings = { host, port, user, replication: "true" };
  const client = new pg.Client(settings);
  client.on("error", () => {});
  await client.connect();
  const archive = openSync(file, "wx", 0o600);
  try {
    await receive(client, (bytes) => writeSync(archive, gzipSync(bytes, { level: 1 })));
  } finally {
    closeSync(archive);
    await client.end();
  }
}

/** A message begins with its kind: n (the name of an archive), d (its bytes), p (progress). */
function receive(client: pg.Client, write: (bytes: Buffer) => void): Promise<void> {
  const command = "BASE_BACKUP (LABEL 'kickabout', CHECKPOINT 'fast', WAL true, MANIFEST 'no')";
  let archives = 0;
  return new Promise((resolve, reject) => {
    const query = new pg.Query(command, (error: Error | undefined) => {
      if (error) reject(error);
      else if (archives === 1) resolve();
      else reject(new Error(`The database has ${archives} tablespaces; one can be backed up`));
    });
    const handleCopyData = ({ chunk }: { chunk: Buffer }) => {
      const kind = String.fromCharCode(chunk[0]!);
      if (kind === "n") archives += 1;
      if (kind === "d" && archives === 1) write(chunk.subarray(1));
    };
    client.query(Object.assign(query, { handleCopyData }));
  });
}
