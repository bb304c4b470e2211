// Replies as usual mail programs write them. `%` stands for the address that is replied to.

const TOKEN = "0123456789abcdef0123456789abcdef";
export const REPLY_ADDRESS = `support+${TOKEN}@kickabout.example`;
export const SENT = `Kickabout

About “Shoes”

Hi Ada,

Look in the hall. The caretaker is there until four.
No answer? Then ring the bell.

You wrote on Nov 20, 2026:
I lost them.

You can reply to this email.`;
const PLAIN = SENT.replace("About", "[cid:logo]\nAbout").replaceAll("\n\n", "\n \n");
const MARKED = SENT.split("\n")
  .map((line) => `> ${line}`.trimEnd())
  .join("\n");

interface ReplyMail {
  program: string;
  /** What stands between the player's words and the quote. */
  head: string;
  isMarked?: boolean;
}

const labels = (from: string, date: string, to: string, subject: string, bold = "") =>
  [
    `${bold}${from}:${bold} Kickabout <%>`,
    `${bold}${date}`.replace(":", `:${bold}`),
    `${bold}${to}:${bold} Ada Example <ada@uni.example>`,
    `${bold}${subject}:${bold} Shoes`,
  ].join("\n");
const FI = labels(
  "Lähettäjä",
  "Lähetetty: maanantai 23. marraskuuta 2026 12.00",
  "Vastaanottaja",
  "Aihe",
);
const SV = labels("Från", "Skickat: den 23 november 2026 12:00", "Till", "Ämne");
const EN = labels("From", "Sent: Monday, 23 November 2026 12:00", "To", "Subject");
const RULE = "_".repeat(32);
const NOTICE =
  "You don't often get email from %. Learn why this is important<https://aka.ms/LearnAbout>";

export const REPLY_MAILS: ReplyMail[] = [
  { program: "Outlook for Windows in English", head: EN },
  { program: "Outlook for Windows in Finnish", head: FI },
  { program: "Outlook for Windows in Swedish", head: SV },
  { program: "Outlook's plain text in English", head: `-----Original Message-----\n${EN}` },
  { program: "Outlook's plain text in Finnish", head: `-----Alkuperäinen viesti-----\n${FI}` },
  { program: "Outlook's plain text in Swedish", head: `-----Ursprungligt meddelande-----\n${SV}` },
  { program: "Outlook on the web in English", head: `${RULE}\n${EN}` },
  { program: "Outlook on the web in Finnish", head: `${RULE}\n${FI}` },
  { program: "Outlook on a phone in Swedish", head: `${RULE}\n${SV}` },
  {
    program: "Outlook on a phone in German",
    head: `${RULE}\n${labels("Von", "Gesendet: Montag, 23. November 2026", "An", "Betreff")}`,
  },
  { program: "Outlook below a notice about the sender", head: `${FI}\n\n${NOTICE}` },
  {
    program: "Outlook for Mac in English",
    head: labels("From", "Date: Monday, 23 November 2026 at 12.00", "To", "Subject", "*"),
  },
  {
    program: "Outlook for Mac in Finnish",
    head: labels(
      "Lähettäjä",
      "Päivämäärä: maanantai 23. marraskuuta 2026",
      "Vastaanottaja",
      "Aihe",
      "*",
    ),
  },
  {
    program: "Outlook for Mac in Swedish",
    head: labels("Från", "Datum: måndag 23 november 2026 kl. 12:00", "Till", "Ämne", "*"),
  },
  {
    program: "Samsung Email in English",
    head: `-------- Original message --------\n${labels("From", "Date: 23/11/2026 12:00 (GMT+02:00)", "To", "Subject")}`,
  },
  {
    program: "Samsung Email in Finnish",
    head: `-------- Alkuperäinen viesti --------\n${labels("Lähettäjä", "Päivämäärä: 23.11.2026 12.00 (GMT+02:00)", "Saaja", "Aihe")}`,
  },
  {
    program: "Samsung Email in Swedish",
    head: `-------- Originalmeddelande --------\n${labels("Från", "Datum: 2026-11-23 12:00 (GMT+02:00)", "Till", "Rubrik")}`,
  },
  {
    program: "Gmail in English",
    head: "On Mon, Nov 23, 2026 at 12:00 PM Kickabout <%>\nwrote:\n",
    isMarked: true,
  },
  {
    program: "Gmail in Finnish",
    head: "ma 23. marrask. 2026 klo 12.00 Kickabout (\n%) kirjoitti:\n",
    isMarked: true,
  },
  {
    program: "Gmail in Swedish",
    head: "Den mån 23 nov. 2026 kl 12:00 skrev Kickabout <\n%>:\n",
    isMarked: true,
  },
  {
    program: "Apple Mail in English",
    head: "On 23 Nov 2026, at 12.00, Kickabout <%> wrote:\n",
    isMarked: true,
  },
  {
    program: "Apple Mail in Finnish",
    head: "Kickabout <%>\nkirjoitti 23.11.2026 kello 12.00:\n",
    isMarked: true,
  },
  {
    program: "Apple Mail in Swedish",
    head: "23 nov. 2026 kl. 12:00 skrev Kickabout\n<%>:\n",
    isMarked: true,
  },
  {
    program: "an iPhone in Swedish",
    head: "> 23 nov. 2026 kl. 12:00 skrev Kickabout <%>:\n> ",
    isMarked: true,
  },
  {
    program: "Thunderbird in English",
    head: "On 23/11/2026 12.00, Kickabout wrote:",
    isMarked: true,
  },
  {
    program: "Thunderbird in Finnish",
    head: "Kickabout kirjoitti 23.11.2026 klo 12.00:",
    isMarked: true,
  },
  {
    program: "Thunderbird in Swedish",
    head: "Den 2026-11-23 kl. 12:00, skrev Kickabout:",
    isMarked: true,
  },
  {
    program: "Proton Mail in English",
    head: "On Monday, November 23rd, 2026 at 12:00 PM, Kickabout <%> wrote:\n",
    isMarked: true,
  },
  {
    program: "Proton Mail from before",
    head: "------- Original Message -------\nOn Monday, November 23rd, 2026 at 12:00 PM, Kickabout <%> wrote:\n\n",
    isMarked: true,
  },
  {
    program: "Proton Mail in Finnish",
    head: "maanantai 23. marraskuuta 2026 klo 12.00, Kickabout <%> kirjoitti:\n",
    isMarked: true,
  },
  {
    program: "Yahoo Mail, which marks nothing",
    head: "On Monday, November 23, 2026 at 12:00:00 PM GMT+2, Kickabout <%> wrote:\n",
  },
];

const quoteOf = ({ head, isMarked }: ReplyMail) =>
  `${head.replaceAll("%", REPLY_ADDRESS)}\n${isMarked ? MARKED : PLAIN}`;

/** What the player wrote stands above the quote. */
export const answeredAbove = (mail: ReplyMail, words: string) => `${words}\n\n${quoteOf(mail)}\n`;

/** What the player wrote stands below the quote, and a greeting may be above. */
export const answeredBelow = (mail: ReplyMail, words: string, above = "") =>
  `${above && `${above}\n\n`}${quoteOf(mail)}\n\n${words}\n`;

/** What the player wrote stands below a line of the quote. */
export function answeredBetween(mail: ReplyMail, words: string): string {
  const quote = quoteOf(mail).replace(/^.*until four\.$/m, (line) => `${line}\n${words}`);
  return `Hello!\n\n${quote}\n`;
}
