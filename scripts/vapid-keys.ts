import { newVapidKeys } from "#app/platform/vapid-keys.server.ts";
import { readOptions } from "./arguments.ts";

readOptions("npm run vapid-keys", {});

const { publicKey, privateKey } = newVapidKeys();
process.stdout.write(`VAPID_PUBLIC_KEY=${publicKey}\nVAPID_PRIVATE_KEY=${privateKey}\n`);
