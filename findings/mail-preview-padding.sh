#!/usr/bin/env bash
. "$(dirname "$0")/common.bash"
program lynx lynx
packages react-email@6.11.13 react@19.3.1 react-dom@19.3.1
echo "$(lynx -version 2>&1 | head -1)"
cat >mail.mjs <<'END'
import { createElement as h } from "react";
import { Body, Html, Preview, render, Text } from "react-email";

const body = h(Body, {}, h(Text, {}, "Hello"));
console.log(await render(h(Html, {}, h(Preview, {}, "You are in"), body)));
END
node mail.mjs >mail.html
# A program without styles shows the hidden part too: its words, and then what is to fill the line.
lines() { awk '/You are in/ { seen = 1; next } /Hello/ { exit } seen' | wc -l; }
expect "lines between the preview and the mail in lynx, which mutt's users read HTML with" \
  "15" "$(lynx -dump -force_html -display_charset=utf-8 -width=80 mail.html | lines)"
sed 's/<div>[^<]*<\/div><\/div>/<\/div>/' mail.html >bare.html
expect "without the padding" "1" "$(lynx -dump -force_html -display_charset=utf-8 -width=80 bare.html | lines)"
finish
