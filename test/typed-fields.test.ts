import { z } from "zod";
import { describe, expect, test } from "vitest";
import { readForm, textFields } from "#app/forms/form-fields.server.ts";
import { checkForm } from "./check-form.ts";

/** Every schema of a form: a module exports it, or a function that makes it. */
const modules = import.meta.glob(
  ["../app/**/input.ts", "../app/**/*actions.server.ts", "!../app/**/*.test.ts"],
  { eager: true },
) as Record<string, Record<string, unknown>>;

const RULES = { schoolDomains: ["uni.example"], today: "2026-11-21" };
const ID = "3f0e5f2c-9a51-4f0e-9d9b-2a5c8f1e7a10";

/** Typed by people without anything unseen. A new field needs a sample here. */
const SAMPLES: Record<string, string> = {
  ...{ email: "ann.o-neill@uni.example", phone: "+358 40 123-4567", major: "Applied Physics" },
  ...{ firstName: "Anna Maria", lastName: "O'Neill-Mäki", dateOfBirth: "31.1.2000" },
  ...{ schoolYear: "Master", position: "GK", nationalityCode: "FI", isDownToPlay: "on" },
  ...{ otherSport: "Padel tennis", name: "Campus Hall", city: "Espoo", address: "Otakaari 1 A" },
  ...{
    description: "Bring shoes.\nAnd water.",
    playerNotes: "Door B",
    website: "kickabout.example",
  },
  ...{
    mapsUrl: "https://maps.example/a?b=c",
    websiteUrl: "https://partner.example/a",
    sortOrder: "-3",
  },
  ...{
    title: "Indoor futsal",
    content: "Rules.\n\nAnd more.",
    sport: "Futsal",
    date: "31.12.2026",
  },
  ...{ startTime: "18.00", endTime: "19:30", venueId: ID, maxPlayers: "10", gameFormat: "5v5" },
  ...{ surroundings: "indoor", priceEur: "10,00 €", isFirstSessionFree: "on", level: "Easy" },
  ...{
    minPlayers: "6",
    decidesHours: "2,5",
    weeks: "3",
    leftOut: "2026-12-24",
    price: "34 €",
    credits: "1 234,50",
  },
  ...{ isActive: "on", number: "7", message: "See you\nat the door", subject: "Lost shoes" },
  ...{ rating: "4", comment: "Good game", reason: "Not needed now", answer: "It is done." },
  ...{
    isPinned: "on",
    amount: "7,50 €",
    method: "Cash",
    payment: "cash",
    mode: "auto",
    until: "3",
  },
  ...{ direction: "give", formKey: ID, confirmed: "on", note: "Was ill", token: "abcDEF123" },
  ...{
    paymentId: ID,
    playerId: ID,
    audience: "played",
    kind: "news",
    days: "60",
    holdsFrom: "31.12.2026",
  },
};
/** Chosen from a list, ticked or hidden: nobody types spaces there. */
const CHOSEN =
  /^(schoolYear|position|nationalityCode|is[A-Z].*|.*Id|surroundings|level|number|rating|method|payment|mode|until|audience|kind|direction|formKey|confirmed|token)$/;
/** Exempt: each sign of them counts. */
const SECRET = /password/i;
const SEVERAL_LINES = [
  "reason",
  "description",
  "playerNotes",
  "content",
  "message",
  "comment",
  "answer",
];
const WITH_PLAIN_SIGNS = ["email", "phone", "firstName", "lastName", "sortOrder", "dateOfBirth"];

const UNSEEN = [
  "\u200b",
  "\u00ad",
  "\u2060",
  "\ufeff",
  "\u200d",
  "\u200c",
  "\u034f",
  "\u3164",
  "\ufe0f",
];
type Decoration = [name: string, of: (text: string) => string];
const DECORATIONS: Decoration[] = [
  ...UNSEEN.map((sign): Decoration => [
    `U+${sign.codePointAt(0)!.toString(16)} between all signs`,
    (text) => [sign, ...text].join(sign) + sign,
  ]),
  ["a direction, as contacts copy it", (text) => `\u202d${text}\u202c`],
  ["an isolate and marks of direction", (text) => `\u2066\u200e${text}\u200f\u2069`],
  ["accents apart", (text) => text.normalize("NFD")],
];
const SPACES: Decoration[] = ["\u00a0", "\u202f", "\u2009", "\u3000"].map((space) => [
  `U+${space.codePointAt(0)!.toString(16)} as space`,
  (text) => `${space}${text.replaceAll(" ", space)}${space}`,
]);
const SIGNS: Decoration[] = [
  ...["\u2010", "\u2011", "\u2013", "\u2212"].map((dash): Decoration => [
    `U+${dash.codePointAt(0)!.toString(16)} as hyphen`,
    (text) => text.replaceAll("-", dash),
  ]),
  ...["’", "ʼ", "´", "′"].map((sign): Decoration => [
    `${sign} as apostrophe`,
    (text) => text.replaceAll("'", sign),
  ]),
  [
    "full width",
    (text) => text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  ],
];

function decorationsOf(field: string): Decoration[] {
  if (SEVERAL_LINES.includes(field) || CHOSEN.test(field)) return DECORATIONS;
  return [...DECORATIONS, ...SPACES, ...(WITH_PLAIN_SIGNS.includes(field) ? SIGNS : [])];
}

/** The shapes of objects that the schema begins with; several for a union. */
function shapesOf(schema: z.core.$ZodType): Record<string, z.core.$ZodType>[] {
  if (schema instanceof z.ZodPipe) return shapesOf(schema.def.in);
  if (schema instanceof z.ZodUnion) return schema.def.options.flatMap(shapesOf);
  return schema instanceof z.ZodObject ? [schema.def.shape] : [];
}

const forms = Object.entries(modules).flatMap(([path, exported]) =>
  Object.entries(exported).flatMap(([name, value]) => {
    if (!/Input$/.test(name)) return [];
    const schema = typeof value === "function" ? value(RULES) : value;
    const fields = [
      ...new Set(shapesOf(schema as z.ZodType).flatMap((shape) => Object.keys(shape))),
    ];
    return [{ title: `${path.replace("../", "")} ${name}`, schema: schema as z.ZodType, fields }];
  }),
);

async function send(schema: z.ZodType, fields: Record<string, string>) {
  const body = new URLSearchParams(fields);
  const request = new Request("http://kickabout.test/", { method: "POST", body });
  return checkForm(schema, textFields(await readForm(request)));
}

test("the schemas of the forms are found, with their fields", () => {
  expect(forms.length).toBeGreaterThan(20);
  for (const { title, fields } of forms) expect(fields.length, title).toBeGreaterThan(0);
});

describe.each(forms)("$title", ({ schema, fields }) => {
  const texts = fields.filter((field) => !SECRET.test(field) && field !== "sports");
  const secrets = fields.filter((field) => SECRET.test(field));
  const form = Object.fromEntries([
    ...texts.map((field) => [field, SAMPLES[field]!]),
    ...secrets.map((field) => [field, "Kickabout1-Helsinki"]),
  ]);

  test("all fields have a sample, which is valid", async () => {
    expect(texts.filter((field) => SAMPLES[field] === undefined)).toEqual([]);
    expect(await send(schema, form)).toMatchObject({ ok: true });
  });

  test("what nobody sees or can tell apart changes no field", async () => {
    const plain = await send(schema, form);
    for (const field of texts) {
      for (const [name, decorate] of decorationsOf(field)) {
        const decorated = { ...form, [field]: decorate(form[field]!) };
        expect(await send(schema, decorated), `${field} with ${name}`).toEqual(plain);
      }
    }
  });
});

test("each sign of a password counts", async () => {
  const body = new URLSearchParams({ password: "\u200bKick\u00a0about1", newPassword: "é\u0301’" });
  const request = new Request("http://kickabout.test/", { method: "POST", body });
  expect(textFields(await readForm(request))).toEqual(Object.fromEntries(body));
});
