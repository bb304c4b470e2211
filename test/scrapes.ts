export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}
export interface Scrape {
  /** Seconds since 1970. */
  at: number;
  samples: Sample[];
}
/** In the order of time; the last one is now. */
export type History = Scrape[];

export function readScrape(text: string): Sample[] {
  const lines = text.split("\n").filter((line) => line && !line.startsWith("#"));
  return lines.map((line) => {
    const [, name = "", inner = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    const pairs = inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
    const labels = Object.fromEntries(Array.from(pairs, ([, key, text]) => [key, text]));
    return { name, labels, value: value === "+Inf" ? Infinity : Number(value) };
  });
}

const MATCHERS_RANGES_AND_LABELS = /\{[^}]*\}|\[[^\]]*\]|\b(?:by|without)\s*\([^)]*\)/g;
const OPERATORS = ["and", "or", "unless", "bool"];

/** The metrics that a PromQL expression names. */
export function metricsIn(expression: string): string[] {
  const rest = expression.replaceAll(MATCHERS_RANGES_AND_LABELS, " ");
  const names = Array.from(rest.matchAll(/\b[a-z_]\w*\b(?!\s*\()/gi), ([name]) => name);
  return names.filter((name) => !OPERATORS.includes(name));
}
