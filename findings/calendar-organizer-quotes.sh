#!/usr/bin/env bash
# RFC 5545, 3.2: the value of a parameter has no quotation mark; RFC 6868 writes it as ^'.
. "$(dirname "$0")/common.bash"
packages ical-generator@10.2.0 ical.js@2.2.1 node-ical@0.26.1
cat >read.mjs <<'END'
import ICAL from "ical.js";
import ical from "ical-generator";
import nodeIcal from "node-ical";

const start = new Date("2027-03-10T17:00:00Z");
const calendar = ical();
const organizer = { name: 'The "Ball": campus', email: "ball@example.org" };
calendar.createEvent({ id: "a@example.org", start, end: start, summary: "A", organizer });
const text = calendar.toString();
const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent");
const [other] = Object.values(nodeIcal.sync.parseICS(text)).filter(({ type }) => type === "VEVENT");
const seen = {
  written: /^ORGANIZER.*$/m.exec(text)[0].trim(),
  "ical.js": JSON.stringify(event.getFirstPropertyValue("organizer")),
  "node-ical": String(other.organizer?.val),
};
console.log(seen[process.argv[2]]);
END
expect "ical-generator writes a quoted name with backslashes" \
  'ORGANIZER;CN="The \"Ball\": campus":mailto:ball@example.org' "$(node read.mjs written)"
expect "ical.js takes the rest of the name for the address" \
  '" campus\":mailto:ball@example.org"' "$(node read.mjs ical.js)"
expect "node-ical finds no organizer" undefined "$(node read.mjs node-ical)"
finish
