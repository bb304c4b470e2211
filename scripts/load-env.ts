import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";

// Imported first: .env is loaded before anything reads the environment.
const file = existsSync(".env") ? parseEnv(readFileSync(".env", "utf8")) : {};
// These would lead to the file's database where another one is set.
if ((process.env.DATABASE_URL ?? file.DATABASE_URL) !== file.DATABASE_URL) {
  delete file.DATABASE_DIRECT_URL;
  delete file.DATABASE_REPLICA_URL;
}
for (const [name, value] of Object.entries(file)) process.env[name] ??= value;
