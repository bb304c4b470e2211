/**
 * Words that house style replaced (STYLE.md), as they were spelled in names, comments, tests and
 * documents; `literal` is where they mean what they say.
 */
export const OLD_WORDS = {
  patterns: [
    /\b\w*(?:Deed|deed)s?\w*\b/g,
    /\b(?:desk|Desk)(?!top)\w*\b|\b\w+Desk(?!top)\w*\b/g,
    /\b[A-Z]\w*Answer\b/g,
    /\b(?:refus(?:e|es|ed|al|als|ing))(?:[A-Z]\w*)?\b|\b\w*Refus\w+\b/g,
    /\b\w*Words\b|\b\w+-words\b/g,
    /\b[Ll]etters?\b|\b\w+Letters?\b|\bletter[A-Z]\w*\b/g,
    /\b\w*(?:Sheet|sheet)s?\b/g,
    /\b[Ff]igures?\b|\b\w+Figures?\b/g,
    /\b\w*News\b|\bnews\b/g,
    /\b[Tt]old\b|\bTold\w+\b/g,
    /\bparked?\b|\b\w*Parked\w*\b/g,
    /\b(?!(?:[Oo]ut|[Uu]nder)standing\b)\w*[Ss]tanding\b/g,
    /\b[Ff]orget(?:s|ting)?\b|\bforget[A-Z]\w*\b|\bforgotten\b/g,
    /\b\w*(?:flash|Flash)\w*\b/g,
    /\b(?:breakDown|broke|logFailure|inTurn|noteCustomer|noteReferences)\b/g,
    /\b\w*(?:[wW]orld)s?\b/g,
    /\b(?:canary|payloads|grammar|spellings|dice|diced|verdict|courier|mortal\w*|journeys?|patience|papers)\b/gi,
    /\b(?:money-back|stories|race-track|by-keyboard|read-again|keep-page|way-back|lasting-message)\b/g,
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
    "uppercase letter",
    "lowercase letter",
    "upper-case",
    "lower-case",
    "spreadsheet",
    "stylesheet",
    "style sheet",
    "bottom sheet",
    // CSS and its names in the browser
    "break-words",
    "letter-spacing",
    "letterSpacing",
    "CSSStyleSheet",
    "adoptedStyleSheets",
    // quoted texts and titles
    "can only contain letters",
    "have forgotten it",
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
