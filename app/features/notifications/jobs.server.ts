import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import { createPush, type PushMessage } from "#app/platform/push.server.ts";
import { findDevice, deleteDevice } from "./devices.server.ts";
import type { NotificationKind } from "./rules.ts";

declare module "#app/platform/jobs.server.ts" {
  interface JobData {
    "push.send": {
      subscriptionId: string;
      kind: NotificationKind;
      subjectId: string;
      version: string;
    };
  }
}

/** Null if there is nothing to say any more: it was cancelled, moved, spent or read. */
type ComposePush = (
  subjectId: string,
  version: string,
  userId: string,
) => Promise<PushMessage | null>;

export type PushContents = Record<NotificationKind, ComposePush>;

interface Tools {
  env: Env;
  db: Db;
  now: () => Date;
}

export function pushJobs(
  { env, db, now }: Tools,
  contents: PushContents,
): Pick<JobHandlers, "push.send"> {
  const push = createPush(env);
  return {
    async "push.send"({ subscriptionId, kind, subjectId, version }) {
      const device = await findDevice(db, subscriptionId, kind, now());
      const message = push && device && (await contents[kind](subjectId, version, device.userId));
      if (!message || message.until <= now()) return;
      const outcome = await push(device, message, now());
      if (outcome === "gone") await deleteDevice(db, subscriptionId);
    },
  };
}
