import { expect, vi } from "vitest";
import { createCanary } from "#app/canary.server.ts";
import type { Scenario } from "./alerting.ts";
import { testApp } from "./app.ts";
import type { TestDatabase } from "./db.ts";
import { siteHandler } from "./whole-site.ts";

/** The canary of a site whose database rejects bookings, and is mended. */
export function createBrokenBookings(database: TestDatabase) {
  const run = (statement: string) => database.pool.query(statement);
  let tryBooking: (() => Promise<void>) | undefined;
  const scenario: Scenario = {
    async breaks() {
      await run("alter table bookings add constraint none check (false) not valid");
      await expect(tryBooking!()).rejects.toThrow("the canary fails: join");
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    },
    async mends() {
      vi.useRealTimers();
      await run("alter table bookings drop constraint none");
      await tryBooking!();
    },
  };
  return {
    scenario,
    async tryBooking() {
      const handle = await siteHandler();
      tryBooking ??= createCanary({ app: testApp(database), pool: database.pool, handle });
      await tryBooking();
    },
  };
}
