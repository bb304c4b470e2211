import { randomBytes } from "node:crypto";

/** A page with gaps for the words that are a viewer's own. */
export interface Template {
  pieces: Buffer[];
  /** What comes between one piece and the next. */
  gaps: { name: string; isInScript: boolean }[];
}

// Another one in each process, so that nobody can type it.
const MARK = `w${randomBytes(12).toString("hex")}`;

/** What is rendered in place of a word. The name has letters, digits and hyphens. */
export const placeholder = (name: string) => `${MARK}${name}.`;

/** `html` as Latin-1, a character for each byte. React writes no `<` of a text, and JSON none here. */
export function cutTemplate(html: string): Template {
  const [start = "", ...parts] = html.split(MARK);
  const template: Template = { pieces: [Buffer.from(start, "latin1")], gaps: [] };
  let isInScript = endsInScript(start, false);
  for (const part of parts) {
    const end = part.indexOf(".");
    const piece = part.slice(end + 1);
    // A copy: a slice would keep the whole page in memory.
    const name = Buffer.from(part.slice(0, end), "latin1").toString("latin1");
    template.gaps.push({ name, isInScript });
    template.pieces.push(Buffer.from(piece, "latin1"));
    isInScript = endsInScript(piece, isInScript);
  }
  return template;
}

function endsInScript(piece: string, beganInScript: boolean): boolean {
  const [opened, closed] = [piece.lastIndexOf("<script"), piece.lastIndexOf("</script>")];
  return opened === closed ? beganInScript : opened > closed;
}

/** The page with these words, each written as React and the router would have written it there. */
export function fillTemplate(
  { pieces, gaps }: Template,
  words: ReadonlyMap<string, string>,
): Buffer<ArrayBuffer> {
  const parts = gaps.flatMap(({ name, isInScript }, index) => {
    const word = words.get(name);
    if (word === undefined) throw new Error(`no word for ${name}`);
    return [pieces[index]!, Buffer.from(isInScript ? scriptText(word) : htmlText(word))];
  });
  return Buffer.concat([...parts, pieces.at(-1)!]);
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
  // HTML holds no NUL.
  "\0": "&#xfffd;",
};

/** In a text or an attribute. */
const htmlText = (word: string) => word.replace(/[&<>"'\0]/g, (sign) => ENTITIES[sign]!);

/** In the data for hydration: a string of JSON, within a string of JavaScript, within HTML. */
function scriptText(word: string): string {
  return inner(inner(word)).replace(
    /[&<>\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const inner = (text: string) => JSON.stringify(text).slice(1, -1);
