import { expect, test } from "vitest";
import { replyText } from "./reply-text.ts";
import { startsWithGreeting } from "./rules.ts";
import {
  answeredAbove,
  answeredBelow,
  answeredBetween,
  REPLY_ADDRESS,
  REPLY_MAILS,
  SENT as SENT_MAIL,
} from "#test/reply-mails.ts";

const SENT = "Kickabout\n\nHi Ada,\n\nLook in the hall.\n\nYou can reply to this email.";
const reply = (text: string, attachments: number) => replyText(text, attachments, SENT);

const GMAIL = `Thanks, I found them!
Ada

On Mon, Nov 23, 2026 at 12:00 PM Kickabout <no-reply@kickabout.example>
wrote:

> Hi Ada,
>
> Look in the hall.`;
const APPLE = "Thanks\r\n\r\n> On 23 Nov 2026, at 12:00, Kickabout wrote:\r\n>\r\n> Look.\r\n";
const OUTLOOK = `Thanks

________________________________
From: Kickabout <no-reply@kickabout.example>
Sent: Monday, 23 November 2026 12:00
Look in the hall.`;
const DESKTOP = "Thanks\n\nFrom: Kickabout\nSent: Monday\nTo: Ada\n\nLook in the hall.";
const ORIGINAL = "Thanks\n-----Original Message-----\nFrom: K\nSent: Monday\nLook in the hall.";
const FINNISH =
  "Kiitos\n\nma 23. marrask. 2026 klo 12.00 Kickabout (a@b.example) kirjoitti:\n\n> Hei";
const THREE = "Thanks\nOn Mon, Nov 23, 2026 at 12:00 PM Kickabout\n<a@b.example>\nwrote:\n> Hi";
const OUTLOOK_FI = `Kiitos\n${"_".repeat(32)}\nLähettäjä: Kickabout\nLähetetty: maanantai\nHi Ada,`;
const OWN_LINE = `When?\n${"_".repeat(24)}\nAnd where?\nAda`;
const WORDS = "My number is 040 123.\nYou said:\n> Look in the hall.";
const BELOW = "On 23 Nov 2026, at 12:00, Kickabout wrote:\n> Look.\n\nI did, thanks!";
const ONLY = "\nOn Mon, Nov 23, 2026 Kickabout <a@b.example> wrote:\n\n> Hi";
const SPACED = `Kiitos\n${"_".repeat(32)}\n \nLähettäjä: Kickabout\n\nLähetetty: maanantai\nHi Ada,`;
const TRAILING = "Thanks\nOn Mon, Nov 23, 2026 Kickabout <a@b.example> wrote: \n  \n> Hi";
const TWO = "Thanks\nOn Mon, Nov 23, 2026\nKickabout <a@b.example> wrote:\n> Hi";
const INLINE = "> Which hall?\nThe big one.\n> When?\nMonday: ";

test.each([
  ["as Gmail writes it", GMAIL, "Thanks, I found them!\nAda"],
  ["as Apple Mail writes it", APPLE, "Thanks"],
  ["as Outlook writes it on the web", OUTLOOK, "Thanks"],
  ["as Outlook writes it on the desktop", DESKTOP, "Thanks"],
  ["as older programs write it", ORIGINAL, "Thanks"],
  ["without a quote", "I have two questions:\n\nWhen?", "I have two questions:\n\nWhen?"],
  ["with a colon above the quote", "a:\nb\nc\nd:\n\n> Hi Ada", "a:\nb\nc\nd:"],
  ["with its last words above the quote", WORDS, "My number is 040 123.\nYou said:"],
  ["as Gmail writes it in Finnish", FINNISH, "Kiitos"],
  ["as Gmail writes it on three lines", THREE, "Thanks"],
  ["as Gmail writes it on two lines", TWO, "Thanks"],
  ["with blanks around the quote's first line", TRAILING, "Thanks"],
  ["as Outlook writes it in Finnish", OUTLOOK_FI, "Kiitos"],
  ["as Outlook writes it with empty lines", SPACED, "Kiitos"],
  ["that ends with a colon and no quote", "My questions:\n\nWhen:\n\n", "My questions:\n\nWhen:"],
  ["with a line of its own", OWN_LINE, OWN_LINE],
  ["below the quote", BELOW, BELOW],
  ["between the lines of the quote", INLINE, INLINE.trim()],
  ["with nothing above the quote", "> only\n> this", "> only\n> this"],
  ["of a quote alone, as Gmail writes it", ONLY, ONLY.trim()],
  ["empty", " \n", ""],
])("a reply %s keeps what the player wrote", (_, text, kept) => {
  expect(reply(text, 0)).toBe(kept);
});

const MAIL = "that Ada wrote on 23.11.2026:";
test.each([
  ["'From:' without 'Sent:'", "From: Otaniemi\nTo: Töölö"],
  ["'From:' in the last line", "Which bus?\nFrom: Otaniemi"],
  ["'from:' within a line", "A mail is from: me\nSent: yesterday"],
  ["'sent:' within a line", "From: Ada\nI have sent: shoes"],
  ["'Sent:' without 'From:'", "I have news.\nSent: shoes"],
  ["a mark at the end of a line", "I see -----Original Message-----\nand no more"],
  ["a mark at the start of a line", "-----Original Message----- is all\nthat I see"],
  ["a line after a word", `Ada${"_".repeat(24)}\nWhen: Monday\nWhere: Töölö`],
  ["a line before a word", `${"_".repeat(24)}Ada\nWhen: Monday\nWhere: Töölö`],
  ["a line below what looks like a header", `When: 7\nWhere: Töölö\n${"_".repeat(24)}\nAda`],
  ["the words of a quote and none below", `Where is the mail ${MAIL}`],
  ["the words of a quote and one above", `> Which mail?\nThe one ${MAIL}`],
])("a reply with %s is kept whole", (_, text) => {
  // What is cut off from the first line on would be kept in any case.
  expect(reply(`Hello!\n${text}`, 0)).toBe(`Hello!\n${text}`);
});

test.each([
  ["that end without a colon", "I paid ada@uni.example on 23.11.2026"],
  ["of which the date is in another paragraph", "See you in 2026!\n\nThis is what he wrote:"],
  ["with a blank in the empty line", "See you in 2026!\n \nThis is what he wrote:"],
])("a player's words above a quote are kept: %s", (_, words) => {
  expect(reply(`${words}\n> Look in the hall.`, 0)).toBe(words);
});

test.each([
  ["a list", "See these:\n> only my own list item 1\n> item 2"],
  ["our words and their own", "See these:\n> Look in the hall.\n> I did"],
  ["a head that they typed and a list", "See:\n> On 23 Nov 2026, Ada wrote:\n> item 2"],
])("a player's own lines that begin with a sign are kept: %s", (_, text) => {
  expect(reply(text, 0)).toBe(text);
});

test("a reply is cut at the most that is kept, and says which files are not", () => {
  expect(reply("x".repeat(9_000), 0)).toHaveLength(5_000);
  const cut = reply("x".repeat(9_000), 2);
  expect(cut).toHaveLength(5_000);
  expect(cut).toMatch(/x\n\n\[2 attachments were not kept\.\]$/);
  expect(reply(GMAIL, 1)).toMatch(/them!\nAda\n\n\[1 attachment was not kept\.\]$/);
  expect(reply("", 1)).toBe("[1 attachment was not kept.]");
});

test.each([
  ["Hi Ada,\nlook in the hall.", true],
  ["Hello! Look.", true],
  ["Moi Ada", true],
  ["High time to look in the hall.", false],
  ["Look in the hall.", false],
  ["", false],
])("%j greets: %s", (answer, greets) => {
  expect(startsWithGreeting(answer)).toBe(greets);
});

const ADDRESS = /support\+|[0-9a-f]{32}/;

test.each(REPLY_MAILS)("a reply by $program has no quote below its words", (mail) => {
  const words = "Kiitos!\n\nFound them: Töölö, 16.30.";
  expect(replyText(answeredAbove(mail, words), 0, SENT_MAIL)).toBe(words);
});

test.each(REPLY_MAILS)("a reply by $program keeps words below and between the lines", (mail) => {
  for (const words of ["I did, but the door was locked.", "No.", "Sent: nothing yet"]) {
    const whole = [answeredBelow(mail, words), answeredBelow(mail, words, "Hi!")];
    for (const text of [...whole, answeredBetween(mail, words)]) {
      const kept = replyText(text, 0, SENT_MAIL);
      expect(kept.split("\n")).toContain(words);
      expect(kept).not.toMatch(ADDRESS);
    }
  }
});

test.each([
  ["as it is", REPLY_ADDRESS],
  ["in capitals", REPLY_ADDRESS.toUpperCase()],
  ["in a link", encodeURIComponent(REPLY_ADDRESS)],
  ["broken across lines", REPLY_ADDRESS.replace("9abc", "9\nabc")],
  ["twice", `${REPLY_ADDRESS} <${REPLY_ADDRESS}>`],
])("the secret part of the reply address never stays: %s", (_, address) => {
  const kept = replyText(`Is ${address} right?`, 0, SENT_MAIL);
  expect(kept.toLowerCase().replace(/\s/g, "")).not.toMatch(/[0-9a-f]{12}/);
  expect(kept).toMatch(/^Is support.*right\?$/is);
});
