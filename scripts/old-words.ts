/**
 * Words that house style replaced (STYLE.md), as they were spelled in names, comments, tests and
 * documents; `literal` is where they mean what they say.
 */
const OLD_WORDS = {
  patterns: [
    // news that are told and heard; waiters and their places; friends' holds and others
    /\b\w*Told(?:[A-Z]\w*)?\b|\btold\b|\b\w*TOLD\w*\b|\b(?:un)?tell(?:s|ing)?[A-Z]\w*|\b[a-z]\w*Tells?(?:[A-Z]\w*)?\b/g,
    /\b\w+News\b|\bnews[A-Z]\w*\b|\bhear(?:ing|er)?[A-Z]\w*\b|\b\w+Hearing\b|\bsetHeard\b|\b[sS]poken[A-Z]\w*\b/g,
    /\b(?:[Oo]wn|[Mm]odel|[Ll]ive|[Aa]ll|next|filled|toast|list(?:Own|Live))Places?\b|\bPlace(?:Row|Facts|View|Ticket|Terms|Mail|End)\b|\b(?:waitlist|end|change|toast)-?Places?\b/g,
    // money
    /\b(?:\w*[cC]ashDue(?!Cents)\w*|isRefundDue|[dD]ueRefund|REFUND_DUE|[mM]oneyDue\w*|money-due|Due(?:Game|Lot|Withdrawals)s?\w*)\b/g,
    /\b(?:isOwed|isSeatOwed|owed(?:Cents|Factor)|owe[A-Z]\w*|OWES\w*|Owing|settle[A-Z]\w*|isSettled)\b/g,
    // machinery
    /\b\w*(?:Dut(?:y|ies)|dut(?:y|ies))(?:[A-Z]\w*)?\b|\bworkOnEach\b|\b(?:in|create)Crowds?\w*\b|\bcreateTurns?\b|\bturnOf\b/g,
    /\bread(?:Together|Jointly)\b|\bjoint-reads\b|\b(?:own-words|[oO]wnWords?)\b|platform\/watch\//g,
    /\b[Ff]igures?\b|\b\w+Figures?\b/g,
    // names that do not say what they are of, where they are declared
    /\b(?:interface|type) (?:Parts|Args|Change|Tools|Props|Ask)\b|\bfunction (?:Facts|remove|record|stateOf|keyOf)\b|\bconst SHOWN\b/g,
    /\b(?:lapseAndPassOn|findKept|dealOthers|isMeant|useLitEntry|LYING)\b|\bwear\(/g,
    // the earlier list
    /\b\w*(?:Deed|deed)s?\w*\b/g,
    /\b(?:desk|Desk)(?!top)\w*\b|\b\w+Desk(?!top)\w*\b/g,
    /\b(?:refus(?:e|es|ed|al|als|ing))(?:[A-Z]\w*)?\b|\b\w*Refus\w+\b/g,
    /\b\w*Words\b|\b\w+-words\b/g,
    /\b\w+Letters?\b|\bletter[A-Z]\w*\b/g,
    /\b\w*(?:Sheet|sheet)s?\b/g,
    /\bparked?\b|\b\w*Parked\w*\b/g,
    /\b(?!(?:[Oo]ut|[Uu]nder)standing\b)\w*[Ss]tanding\b/g,
    /\b[Ff]orget(?:s|ting)?\b|\bforget[A-Z]\w*\b|\bforgotten\b/g,
    /\b\w*(?:flash|Flash)\w*\b/g,
    /\b(?:breakDown|broke|logFailure|inTurn|noteCustomer|noteReferences)\b/g,
    /\b\w*(?:[wW]orld)s?\b/g,
    /\b(?:payloads|grammar|spellings|dice|diced|verdict|courier|mortal\w*|journeys?|patience|papers)\b/gi,
    /\b(?:money-back|race-track|by-keyboard|read-again|keep-page|way-back|lasting-message)\b/g,
    /\be-mails?\b/gi,
    /\banew\b|\bwhoever\b|\bWhoever\b|\bsaid so\b|\bof nobody\b|\bnobody's\b/g,
  ],
  literal: [
    // a withdrawal's stored state, and the stored status of an event
    "refused: {",
    `refused: "No refund due"`,
    "parked unknown-",
    // HTML
    "<figure",
    "</figure",
    "outside world",
    "isolated world",
    "spreadsheet",
    "Spreadsheet",
    "worksheets",
    "ml.sheet",
    "styleSheets",
    // what somebody else's words are
    "told apart",
    "I have news",
    "on the grammar of",
    "connection refused",
    "connection that is refused",
    "`connection refused`",
    // a search for words, and words that are long
    "hasWords",
    "longest-words",
    "form rows with their words",
    "Words that a noun does not give",
    // the names of a metric, of its label and of an alert, which operators know
    "duty_succeeded_timestamp_seconds",
    "duty_interval_seconds",
    `["duty"]`,
    "{ duty: name }",
    "labels.duty",
    "by (duty)",
    "KickaboutDutyFails",
    "`duty`",
    "uppercase letter",
    "lowercase letter",
    "upper-case",
    "lower-case",
    "stylesheet",
    "style sheet",
    "bottom sheet",
    // CSS and its names in the browser
    "break-words",
    "letter-spacing",
    "letterSpacing",
    "CSSStyleSheet",
    "adoptedStyleSheets",
    // the key in a backup's manifest; a metric, an alert and a line of the log that operators know
    "figures: z.object",
    `["figures"]`,
    "manifest.figures",
    "figures: counts",
    "figures: {",
    "const { figures } = JSON",
    "figures.rows",
    "figures_unread",
    "FiguresUnread",
    "figure not read",
    "figure: name",
    `figure: "unmatchedPayments"`,
    // quoted texts and titles
    "can only contain letters",
    "have forgotten it",
    "“Figures” is “Metrics”",
    "it said “told”",
    "Cheat Sheet",
    "Connection refused",
    // an account of the demo, by its address and its key
    "broke@uni",
    "broke%40uni",
    `"broke"`,
    // stored values, columns and options of pg-boss
    `"parked"`,
    "'parked'",
    "`parked`",
    "inbox.refuse",
    "refused_by",
    "refusal_reason",
    "withdrawals_refused",
    `refused: {`,
    `refused: rejected`,
    "'refused'",
    `outcome: "refused"`,
    `outcome === "refused"`,
    `how === "refused"`,
    `state: "refused"`,
    `"paid-back" | "refused"`,
    `"refused" | "taken_back"`,
    `"refused", "taken_back"`,
    "details.told",
    "told: notified",
    "deadLetter",
    // quoted by documents: the rules' bad examples
    "doToGame(app, deed)",
    "return refuse({ ...failed, errors }, 422)",
    "what was done otherwise is said so",
    // letters of the alphabet
    "Letters such as",
    // the file of these words
    "old-words.ts",
  ],
};

/** Replaced words of a text, except where they are meant literally. */
export function findReplacedTerms(text: string): string[] {
  const meant = OLD_WORDS.literal.reduce((all, words) => all.replaceAll(words, ""), text);
  return OLD_WORDS.patterns.flatMap((pattern) => meant.match(pattern) ?? []);
}
