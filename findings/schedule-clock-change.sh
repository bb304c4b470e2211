#!/usr/bin/env bash
. "$(dirname "$0")/common.bash"
packages pg-boss@12.35.0 cron-parser@5.10.5
cat >night.mjs <<'END'
import { CronExpressionParser } from "cron-parser";
import Timekeeper from "pg-boss/dist/timekeeper.js";

// Helsinki's clock goes back from 4 to 3 at 01:00 UTC.
const tz = "Europe/Helsinki";
const from = Date.parse("2026-10-24T21:00:00Z");
const to = Date.parse("2026-10-25T04:00:00Z");

function forwards(cron) {
  const dates = CronExpressionParser.parse(cron, { tz, currentDate: new Date(from) });
  const found = [];
  for (let date = dates.next().toDate(); date < to; date = dates.next().toDate()) found.push(date);
  return found;
}
/** What pg-boss finds due, asked each half a minute of that night, as its own clock does. */
function due(expression, kind) {
  const found = new Set();
  for (let now = from; now < to; now += 30_000) {
    const dates = Timekeeper.prototype.readOccurrences.call({}, expression, kind, tz, now);
    for (const date of dates) found.add(date.getTime());
  }
  return [...found].map((time) => new Date(time));
}
const cron = "30 3 * * *";
const found = {
  forwards: forwards(cron),
  cron: due(cron, "cron"),
  rule: due("FREQ=DAILY;BYHOUR=3;BYMINUTE=30;BYSECOND=0", "rrule"),
}[process.argv[2]];
console.log(found.map((date) => date.toISOString().slice(11, 16)).join(" "));
END
expect "cron-parser's next() has 3:30 once in the night that has it twice" "00:30" "$(node night.mjs forwards)"
expect "pg-boss, which asks prev(), sends the job of 3:30 twice" "00:30 01:30" "$(node night.mjs cron)"
expect "the same hour as a rule is sent once" "00:30" "$(node night.mjs rule)"
finish
