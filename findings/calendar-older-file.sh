#!/usr/bin/env bash
# Of two files with one UID the one of the higher SEQUENCE is the newer state (RFC 5545, 3.8.7.4).
. "$(dirname "$0")/common.bash"
program khal khal
program calcurse calcurse
khal --version | head -1
calcurse --version | head -1

file() { # NAME SEQUENCE DAY STATUS
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//a//a//EN METHOD:PUBLISH BEGIN:VEVENT \
    UID:a@example.org "SEQUENCE:$2" DTSTAMP:20270101T100000Z "DTSTART:202703$3T170000Z" \
    "DTEND:202703$3T180000Z" SUMMARY:Football "STATUS:$4" END:VEVENT END:VCALENDAR >"$1.ics"
}
file first 0 10 CONFIRMED
file moved 1 11 CONFIRMED
file cancelled 2 11 CANCELLED

mkdir khal.d
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
in_khal() {
  khal -c khal.conf import --batch "$1.ics"
  khal -c khal.conf list 2027-03-09 5d --day-format '{date}' --format '{status}' | paste -sd' ' | sed 's/ *$//'
}
in_calcurse() {
  rm -rf calcurse.d
  mkdir calcurse.d
  for name in "$@"; do calcurse -D calcurse.d -C calcurse.d -q -i "$name.ics"; done
  grep -o '^../../....' calcurse.d/apts | paste -sd' '
}
in_khal first >/dev/null
in_khal moved >/dev/null
expect "khal follows a cancellation" "2027-03-11 CANCELLED" "$(in_khal cancelled)"
expect "and goes back when the first file is opened again" "2027-03-10 CONFIRMED" "$(in_khal first)"
expect "calcurse has the same file twice as two events" "03/10/2027 03/10/2027" "$(in_calcurse first first)"
expect "a moved one at both times, and once more when it is cancelled" \
  "03/10/2027 03/11/2027 03/11/2027" "$(in_calcurse first moved cancelled)"
finish
