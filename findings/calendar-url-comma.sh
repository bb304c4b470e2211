#!/usr/bin/env bash
# RFC 5545, 3.3.13: a URI is written as it is; only the type TEXT has backslashes before commas.
. "$(dirname "$0")/common.bash"
packages ical-generator@10.2.0 ical.js@2.2.1 node-ical@0.26.1
cat >read.mjs <<'END'
import ICAL from "ical.js";
import ical from "ical-generator";
import nodeIcal from "node-ical";

const start = new Date("2027-03-10T17:00:00Z");
const calendar = ical();
calendar.createEvent({ id: "a@example.org", start, end: start, summary: "A", url: "https://example.org/map?at=60.2,24.8" });
const text = calendar.toString();
const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent");
const [other] = Object.values(nodeIcal.sync.parseICS(text)).filter(({ type }) => type === "VEVENT");
const seen = {
  written: /^URL.*$/m.exec(text)[0].trim(),
  "ical.js": event.getFirstPropertyValue("url"),
  "node-ical": other.url.val,
};
console.log(seen[process.argv[2]]);
END
expect "ical-generator puts a backslash before the comma of a URL" \
  'URL;VALUE=URI:https://example.org/map?at=60.2\,24.8' "$(node read.mjs written)"
expect "ical.js gives that back as the address" 'https://example.org/map?at=60.2\,24.8' "$(node read.mjs ical.js)"
expect "node-ical takes it away" 'https://example.org/map?at=60.2,24.8' "$(node read.mjs node-ical)"
finish
