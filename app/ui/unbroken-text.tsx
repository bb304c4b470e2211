/** Breaks between words; inside one, with a hyphen, only if the word is longer than the line. */
export function UnbrokenText({ text }: { text: string }) {
  const parts = text.split(/([^\s-]{15,})/u);
  return parts.map((part, n) => (n % 2 === 1 ? <LongWord key={n} word={part} /> : part));
}

/** A soft hyphen shows only where the word breaks; the box keeps it from breaking on a shared line. */
function LongWord({ word }: { word: string }) {
  const parts = word.match(/(?:\P{M}\p{M}*){1,4}/gu) ?? [word];
  return <span className="inline-block max-w-full">{parts.join("\u00AD")}</span>;
}
