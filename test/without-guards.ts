import { PostgresQueryCompiler } from "kysely";
import { withoutLocks, withoutWaitlist } from "./disable-locks.ts";

/*
 * Loaded before a whole server (`node --import`), it takes one guard out of every query. For
 * negative controls only.
 */
const GUARDS = { locks: withoutLocks, waitlist: withoutWaitlist };
export type Guard = keyof typeof GUARDS;

const guard = GUARDS[process.env.WITHOUT_GUARD as Guard];
// A control with all its guards would be taken for a proof.
if (!guard) throw new Error(`WITHOUT_GUARD is one of ${Object.keys(GUARDS)}`);

const { compileQuery } = PostgresQueryCompiler.prototype;
PostgresQueryCompiler.prototype.compileQuery = function compile(node, queryId) {
  return compileQuery.call(this, guard.transformQuery({ node, queryId }), queryId);
};
