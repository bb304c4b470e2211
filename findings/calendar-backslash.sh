#!/usr/bin/env bash
# RFC 5545, 3.3.11: "\\" is a backslash and "\n" a new line, so "\\n" is a backslash and the letter n.
. "$(dirname "$0")/common.bash"
program khal khal
program calcurse calcurse
packages ical.js@2.2.1 node-ical@0.26.1
khal --version | head -1
calcurse --version | head -1

printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//a//a//EN BEGIN:VEVENT UID:a@example.org \
  DTSTAMP:20270101T100000Z DTSTART:20270310T170000Z DTEND:20270310T180000Z SUMMARY:A \
  'DESCRIPTION:drive g:\\new' END:VEVENT END:VCALENDAR >a.ics

cat >read.mjs <<'END'
import { readFileSync } from "node:fs";
import ICAL from "ical.js";
import nodeIcal from "node-ical";

const text = readFileSync("a.ics", "utf8");
const [event] = Object.values(nodeIcal.sync.parseICS(text)).filter(({ type }) => type === "VEVENT");
const seen = {
  "ical.js": new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent").getFirstPropertyValue("description"),
  "node-ical": event.description,
};
console.log(JSON.stringify(seen[process.argv[2]]));
END
mkdir khal.d calcurse.d
cat >khal.conf <<END
[calendars]
[[a]]
path = $here/khal.d
[locale]
longdateformat = %Y-%m-%d
dateformat = %Y-%m-%d
timeformat = %H:%M
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
[sqlite]
path = $here/khal.db
END
khal -c khal.conf import --batch a.ics
calcurse -D calcurse.d -C calcurse.d -q -i a.ics
expect "ical.js reads drive g:\\new" '"drive g:\\new"' "$(node read.mjs ical.js)"
expect "calcurse does" 'drive g:\new' "$(cat calcurse.d/notes/*)"
expect "node-ical reads a backslash and a new line" '"drive g:\\\new"' "$(node read.mjs node-ical)"
expect "khal reads a new line" "drive g:|ew|" \
  "$(khal -c khal.conf list 2027-03-10 1d --day-format '' --format '{description}' | grep . | tr '\n' '|')"
finish
