import { expect, test } from "vitest";
import { renderPage, textOf } from "#test/screen.tsx";
import { MetricCard } from "./metric-card.tsx";
import { axisText, ticksUpTo } from "./metric-chart.tsx";
import type { ReportView } from "./report.server.ts";

const weeks = [{ day: "Nov 16", cells: ["3", "4.7"] }];
const found: NonNullable<ReportView["found"]> = {
  headline: "4.7 of 5",
  note: "3 reviews in these weeks",
  columns: ["Reviews", "Average"],
  weeks,
  chart: { top: 5, series: ["Average"], weeks: [{ day: "Nov 16", values: [4.7], texts: ["4.7"] }] },
};
const files = { xlsx: "/rating.xlsx", csv: "/rating.csv" };
const report = { title: "Rating", about: "Stars.", isByVenue: false, files };

function render(given: ReportView["found"], isEveryVenue = false): string {
  return renderPage(MetricCard, {
    id: "rating",
    report: { ...report, found: given },
    isEveryVenue,
  });
}

test("a metric without data is coming soon, and says when", () => {
  const text = "|Rating|Coming soon|Stars. It appears here with the first of them.|";
  expect(textOf(render(null, true))).toBe(text);
});

test("as the server sends it, a chart is drawn, its numbers are open and nothing has an inline style", () => {
  const html = render(found);
  expect(html).toContain("<details open");
  expect(html).not.toMatch(/\sstyle=/);
  expect(html).toContain('aria-label="Rating by week, as bars"');
  expect(textOf(html)).toContain(
    "|Week from|Reviews|Average|Nov 16|3|4.7|Download as|Download Rating as |Excel|Download Rating as |CSV|",
  );
});

test("where a venue is chosen, a metric of all venues says so", () => {
  expect(textOf(render(found))).not.toContain("All venues");
  expect(textOf(render(found, true))).toContain("|Rating|All venues|");
});

test("weeks without anything say so in place of the chart", () => {
  expect(textOf(render({ ...found, chart: null }))).toContain("Nothing in these weeks.");
});

test.each([
  [[0, 3_500, 7_000, 10_500, 14_000], 14_000, ["0", "3.5k", "7k", "10.5k", "14k"]],
  [[0, 2_500, 5_000, 7_500], 9_999, ["0", "2500", "5000", "7500"]],
])("the labels of an axis have one form", (values, highest, labels) => {
  expect(values.map((value) => axisText(value, highest))).toEqual(labels);
});

test.each([
  [1, [0, 1]],
  [5, [0, 1, 2, 3, 4, 5]],
  [7, [0, 2, 4, 6, 8]],
  [12, [0, 5, 10, 15]],
  [100, [0, 20, 40, 60, 80, 100]],
  [0.4, [0, 1]],
  [14_000, [0, 5_000, 10_000, 15_000]],
])("an axis up to %d goes in at most five whole steps", (highest, ticks) => {
  expect(ticksUpTo(highest)).toEqual(ticks);
});
