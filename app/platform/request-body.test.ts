import { expect, test } from "vitest";
import { FormLimitError, parseBody } from "./request-body.server.ts";

const ADDRESS = "http://kickabout.test/auth";
const post = (body: BodyInit, type?: string) =>
  new Request(ADDRESS, {
    method: "POST",
    body,
    ...(type && { headers: { "Content-Type": type } }),
    ...(body instanceof ReadableStream && { duplex: "half" }),
  });
const MULTIPART = "multipart/form-data; boundary=x";
const PLAIN = "application/x-www-form-urlencoded";
const part = (name: string, more = "") =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n1\r\n`;
const entriesOf = async (request: Request) => [...(await parseBody(request))];

test("a form is read as it was sent, repeated names and files included", async () => {
  const sent = new FormData();
  sent.append("name", 'Änne "x" & co\r\n');
  sent.append("sports", "Football");
  sent.append("sports", "Tennis");
  sent.append("photo", new File(["\x89PNG\r\n--x"], "mökki photo.png", { type: "image/png" }));
  const form = await parseBody(post(sent));
  expect([...form.keys()]).toEqual(["name", "sports", "sports", "photo"]);
  expect(form.get("name")).toBe('Änne "x" & co\r\n');
  expect(form.getAll("sports")).toEqual(["Football", "Tennis"]);
  const photo = form.get("photo") as File;
  expect([photo.name, photo.type, await photo.text()]).toEqual([
    ...["mökki photo.png", "image/png", "\x89PNG\r\n--x"],
  ]);
  const none = `${part("photo", '; filename=""').replace("1\r\n", "\r\n")}--x--`;
  const empty = (await parseBody(post(none, MULTIPART))).get("photo") as File;
  expect([empty.name, empty.size]).toEqual(["", 0]);
  const typed = await entriesOf(post(new URLSearchParams({ a: "ä &=+%", b: "" })));
  expect(typed).toEqual(Object.entries({ a: "ä &=+%", b: "" }));
});

test.each([
  ["{}", "application/json"],
  ["zzz", MULTIPART],
  ["a=1", "text/plain"],
  ["a=1", "APPLICATION/X-WWW-FORM-URLENCODED"],
  [`${part("a")}--x--`, "Multipart/Form-Data; boundary=x"],
  [`${part("a")}--x--`, "multipart/form-data"],
  [part("a"), `multipart/form-data; boundary=${"x".repeat(71)}`],
  ["a=1", `${PLAIN};charset=${"u".repeat(200)}`],
])("what is no form of a browser's has no fields: %s as %s", async (body, type) => {
  expect(await entriesOf(post(body, type))).toEqual([]);
});

const names = (count: number) => Array.from({ length: count }, (_, n) => `n${n}`);

test("500 fields are read, of a form with files 150, and not one more", async () => {
  const plain = (count: number) => post(names(count).join("=1&"), PLAIN);
  const multipart = (count: number) =>
    post(
      `${names(count)
        .map((n) => part(n))
        .join("")}--x--`,
      MULTIPART,
    );
  for (const [form, most] of [
    [plain, 500],
    [multipart, 150],
  ] as const) {
    expect(await entriesOf(form(most))).toHaveLength(most);
    await expect(parseBody(form(most + 1))).rejects.toThrow(FormLimitError);
  }
});

test("100 files are read, and not one more; names and headers have a length", async () => {
  const file = part("a", '; filename="b"');
  expect(await entriesOf(post(`${file.repeat(100)}--x--`, MULTIPART))).toHaveLength(100);
  const name = "n".repeat(100);
  for (const body of [part(name), part("a", `; filename="${"f".repeat(900)}"`)]) {
    expect(await entriesOf(post(`${body}--x--`, MULTIPART))).toHaveLength(1);
  }
  const tooMuch = [
    file.repeat(101),
    part(`${name}n`),
    part("a", `; filename="${"f".repeat(1_000)}"`),
  ];
  for (const body of tooMuch) {
    await expect(parseBody(post(`${body}--x--`, MULTIPART))).rejects.toThrow(FormLimitError);
  }
  await expect(parseBody(post(`${name}n=1`, PLAIN))).rejects.toThrow(FormLimitError);
});

test.each([
  ["parts", `${part("a").repeat(100)}`, MULTIPART],
  ["a header", "--x\r\nContent-Disposition: form-data; a=".padEnd(5_000, ";a="), MULTIPART],
  ["fields", "a&".repeat(1_000), PLAIN],
])("of too many %s no more is taken in than shows so", async (_, chunk, type) => {
  let taken = 0;
  const pull = (controller: ReadableStreamDefaultController) => {
    taken += 1;
    controller.enqueue(new TextEncoder().encode(chunk));
    if (taken === 1_000) controller.close();
  };
  await expect(parseBody(post(new ReadableStream({ pull }), type))).rejects.toThrow(FormLimitError);
  expect(taken).toBeLessThan(20);
});

test("a text is cut at a length that no field may have", async () => {
  const long = "ü".repeat(70_000);
  for (const body of [
    new URLSearchParams({ long }),
    `${part("long").replace("\r\n1", `\r\n${long}`)}--x--`,
  ]) {
    const form = await parseBody(post(body, typeof body === "string" ? MULTIPART : PLAIN));
    expect(form.get("long")).toBe("ü".repeat(60_000));
  }
});
