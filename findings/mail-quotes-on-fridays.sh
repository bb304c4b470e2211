#!/usr/bin/env bash
. "$(dirname "$0")/common.bash"
# Gmail in Finnish begins a quote with the day of the week: ma, ti, ke, to, pe, la or su.
packages email-reply-parser@2.3.9

cat > read.mjs <<'END'
import EmailReplyParser from "email-reply-parser";

const [, , day] = process.argv;
const text = `Kiitos!

${day} marrask. 2026 klo 12.00 Kickabout (hello@example.org) kirjoitti:

> Katso aulasta.
`;
console.log(JSON.stringify(new EmailReplyParser().read(text).getVisibleText().trim()));
END

expect "a Finnish quote of a Friday is cut off" '"Kiitos!"' "$(node read.mjs 'pe 27.')"
expect "its first line stays on any other day" \
  '"Kiitos!\n\nma 23. marrask. 2026 klo 12.00 Kickabout (hello@example.org) kirjoitti:"' \
  "$(node read.mjs 'ma 23.')"
finish
