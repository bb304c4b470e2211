import { isBlocking, readUpgrade, type UpgradeStep } from "#app/platform/upgrade/upgrade.server.ts";
import { readOptions } from "./arguments.ts";
import { command, say } from "./command.ts";

readOptions("npm run upgrade:check", {});

const WORDS = { done: "done", missing: "to do", unknown: "look" };

await command(async ({ pool }) => {
  const { from, to, steps } = await readUpgrade(pool);
  say(from === null ? `A new database, for ${to}` : `From ${from} to ${to}`);
  for (const step of steps) say(describeStep(step));
  const count = steps.filter(isBlocking).length;
  const left = steps.filter(({ state }) => state !== "done").length - count;
  say(
    count > 0
      ? `Not ready: ${count} required`
      : left > 0
        ? `Ready, with ${left} to look at`
        : "Ready",
  );
  return count === 0;
});

function describeStep(step: UpgradeStep): string {
  const { id, state, release, text } = step;
  const word = isBlocking(step) ? "REQUIRED" : WORDS[state];
  return state === "done" ? `  ${word}: ${id}` : `  ${word}: ${id} (${release}): ${text}`;
}
