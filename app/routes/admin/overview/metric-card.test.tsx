import { expect, test } from "vitest";
import { renderPage, textOf } from "#test/screen.tsx";
import { MetricCard } from "./metric-card.tsx";
import { axisText } from "./metric-chart.tsx";
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

test("a metric without data is coming soon and shows nothing else", () => {
  expect(textOf(render(null, true))).toBe("|Rating|Coming soon|Stars.|");
});

test("as the server sends it, the numbers are open and nothing has an inline style", () => {
  const html = render(found);
  expect(html).toContain("<details open");
  expect(html).not.toMatch(/\sstyle=|<svg[^>]*recharts/);
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
