import type { SyntaxNode } from "@lezer/common";
import { parser } from "@prometheus-io/lezer-promql";

// Prometheus' own grammar, and as much of its evaluation as the alerts use. What it does not know
// throws, so that no alert passes unread.

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

type Vector = Omit<Sample, "name">[];
type Value = Vector | number;

export function readScrape(text: string): Sample[] {
  const lines = text.split("\n").filter((line) => line && !line.startsWith("#"));
  return lines.map((line) => {
    const [, name = "", inner = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    const pairs = inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
    const labels = Object.fromEntries(Array.from(pairs, ([, key, text]) => [key, text]));
    return { name, labels, value: value === "+Inf" ? Infinity : Number(value) };
  });
}

/** What PromQL's grammar does not accept of an expression. */
export function syntaxErrors(expression: string): string[] {
  const errors: string[] = [];
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) errors.push(expression.slice(0, node.from));
    },
  });
  return errors;
}

/** The metrics that an expression names. */
export function metricsIn(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter({ name, from, to }) {
      if (name === "Identifier") names.push(expression.slice(from, to));
    },
  });
  return names;
}

/** Whether an alert with this expression is active now. */
export function isActive(expression: string, history: History): boolean {
  const result = evaluate(expression, history);
  if (typeof result === "number") throw new Error(`no vector: ${expression}`);
  return result.length > 0;
}

function evaluate(expression: string, history: History): Value {
  const now = history.at(-1)!;
  const textOf = ({ from, to }: SyntaxNode) => expression.slice(from, to);

  function valueOf(node: SyntaxNode): Value {
    const [first, second, third] = childrenOf(node);
    if (node.name === "NumberDurationLiteral") return Number(textOf(node));
    if (node.name === "VectorSelector") return select(node, now);
    if (node.name === "ParenExpr") return valueOf(first!);
    if (node.name === "BinaryExpr") return combine(second!.name, valueOf(first!), valueOf(third!));
    if (node.name === "FunctionCall") return call(textOf(first!), childrenOf(second!));
    if (node.name === "AggregateExpr") return aggregate(node);
    throw new Error(`not understood: ${node.name} in ${expression}`);
  }

  function select(node: SyntaxNode, { samples }: Scrape): Vector {
    const name = textOf(node.getChild("Identifier")!);
    const matchers = node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ?? [];
    const fits = matchers.map((matcher) => {
      const [label, operator, quoted] = childrenOf(matcher).map(textOf);
      const wanted = JSON.parse(quoted!) as string;
      const isPattern = operator!.endsWith("~");
      const matches = (value: string) =>
        isPattern ? new RegExp(`^(?:${wanted})$`).test(value) : value === wanted;
      return ({ labels }: Sample) => matches(labels[label!] ?? "") !== operator!.startsWith("!");
    });
    return samples.filter((sample) => sample.name === name && fits.every((fit) => fit(sample)));
  }

  function call(name: string, args: SyntaxNode[]): Value {
    if (name === "time") return now.at;
    if (name === "absent")
      return select(args[0]!, now).length > 0 ? [] : [{ labels: {}, value: 1 }];
    if (name === "rate") return increase(args[0]!, true);
    if (name === "increase") return increase(args[0]!, false);
    if (name === "histogram_quantile")
      return quantile(valueOf(args[0]!) as number, valueOf(args[1]!) as Vector);
    throw new Error(`not understood: ${name}() in ${expression}`);
  }

  /** Of counters; without Prometheus' extrapolation to the ends of the range. */
  function increase(range: SyntaxNode, isPerSecond: boolean): Vector {
    const [selector, duration] = childrenOf(range);
    const seconds = secondsOf(textOf(duration!));
    const first = new Map<string, number>();
    const inRange = history.filter(({ at }) => at >= now.at - seconds);
    for (const scrape of inRange.toReversed()) {
      for (const { labels, value } of select(selector!, scrape)) first.set(keyOf(labels), value);
    }
    return select(selector!, now).map(({ labels, value }) => {
      const grown = value - first.get(keyOf(labels))!;
      return { labels, value: isPerSecond ? grown / seconds : grown };
    });
  }

  function aggregate(node: SyntaxNode): Vector {
    const operator = node.getChild("AggregateOp")!.firstChild!.name;
    const grouping = node.getChild("AggregateModifier")?.getChild("GroupingLabels");
    const by = grouping ? childrenOf(grouping).map(textOf) : [];
    const [argument] = childrenOf(node.getChild("FunctionCallBody")!);
    const groups = Map.groupBy(valueOf(argument!) as Vector, ({ labels }) =>
      keyOf(only(labels, by)),
    );
    return [...groups.values()].map((group) => {
      const values = group.map(({ value }) => value);
      const value = operator === "Max" ? Math.max(...values) : values.reduce((a, b) => a + b);
      if (operator !== "Max" && operator !== "Sum") throw new Error(`not understood: ${operator}`);
      return { labels: only(group[0]!.labels, by), value };
    });
  }

  return valueOf(parser.parse(expression).topNode.firstChild!);
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

const CALCULATIONS: Record<string, (a: number, b: number) => number> = {
  Div: (a, b) => a / b,
  Sub: (a, b) => a - b,
  Mul: (a, b) => a * b,
};
const COMPARISONS: Record<string, (a: number, b: number) => boolean> = {
  Gtr: (a, b) => a > b,
  Lss: (a, b) => a < b,
  Eql: (a, b) => a === b,
};

function combine(operator: string, left: Value, right: Value): Value {
  if (operator === "Or") return union(left as Vector, right as Vector);
  const pairs = pairUp(left, right);
  if (operator === "And") return pairs.map(({ labels, a }) => ({ labels, value: a }));
  const calculate = CALCULATIONS[operator];
  if (calculate) return pairs.map(({ labels, a, b }) => ({ labels, value: calculate(a, b) }));
  const compare = COMPARISONS[operator];
  if (!compare) throw new Error(`not understood: ${operator}`);
  return pairs.flatMap(({ labels, a, b }) => (compare(a, b) ? { labels, value: a } : []));
}

function union(left: Vector, right: Vector): Vector {
  const keys = new Set(left.map(({ labels }) => keyOf(labels)));
  return [...left, ...right.filter(({ labels }) => !keys.has(keyOf(labels)))];
}

function pairUp(left: Value, right: Value) {
  if (typeof left === "number" && typeof right === "number") throw new Error("no vector");
  if (typeof left === "number")
    return (right as Vector).map(({ labels, value }) => ({ labels, a: left, b: value }));
  if (typeof right === "number")
    return left.map(({ labels, value }) => ({ labels, a: value, b: right }));
  const others = new Map(right.map(({ labels, value }) => [keyOf(labels), value]));
  return left.flatMap(({ labels, value }) => {
    const b = others.get(keyOf(labels));
    return b === undefined ? [] : { labels, a: value, b };
  });
}

/** Of the buckets of one histogram, as Prometheus reckons between their ends. */
function quantile(q: number, buckets: Vector): Vector {
  const sorted = buckets
    .map(({ labels, value }) => ({
      end: labels["le"] === "+Inf" ? Infinity : +labels["le"]!,
      value,
    }))
    .sort((a, b) => a.end - b.end);
  const total = sorted.at(-1)?.value ?? 0;
  if (!(total > 0)) return [];
  const index = sorted.findIndex(({ value }) => value >= q * total);
  const { end, value } = sorted[index]!;
  const below = sorted[index - 1] ?? { end: 0, value: 0 };
  const share = (q * total - below.value) / (value - below.value);
  return [
    { labels: {}, value: end === Infinity ? below.end : below.end + share * (end - below.end) },
  ];
}

function only(labels: Record<string, string>, names: string[]) {
  return Object.fromEntries(
    names.flatMap((name) => (name in labels ? [[name, labels[name]!]] : [])),
  );
}

const keyOf = (labels: Record<string, string>) => JSON.stringify(Object.entries(labels).sort());

export function secondsOf(duration: string): number {
  const [, number, unit] = /^(\d+)([smh])$/.exec(duration) ?? [];
  return Number(number) * { s: 1, m: 60, h: 3_600 }[unit as "s" | "m" | "h"];
}
