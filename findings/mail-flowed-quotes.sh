#!/usr/bin/env bash
. "$(dirname "$0")/common.bash"
# RFC 3676, 4.5: quote marks come off before lines are joined, and a flowed line before a line of
# another quote depth is a fixed one ("quote-depth-wins").
packages postal-mime@4.0.0 mailparser@3.14.2

cat > read.mjs <<'END'
import PostalMime from "postal-mime";
import { simpleParser } from "mailparser";

const raw = [
  "From: ada@example.org",
  "Content-Type: text/plain; charset=utf-8; format=flowed",
  "",
  "> Which door? ",
  "The one by the stands.",
  "",
].join("\r\n");
const texts = {
  "postal-mime": (await PostalMime.parse(raw)).text,
  mailparser: (await simpleParser(raw)).text,
};
console.log(JSON.stringify(texts[process.argv[2]].trimEnd()));
END

expect "postal-mime makes an answer below a flowed quoted line a part of the quote" \
  '"> Which door? The one by the stands."' "$(node read.mjs postal-mime)"
expect "mailparser, by the same author, keeps them apart" \
  '"> Which door? \nThe one by the stands."' "$(node read.mjs mailparser)"
finish
