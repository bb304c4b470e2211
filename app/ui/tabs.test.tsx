import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Tabs } from "./tabs.tsx";

const tabs = [
  { id: "a", label: "One", panel: "first" },
  { id: "b", label: "Two", panel: "second" },
];

test("as links they choose without JavaScript", () => {
  const html = renderToStaticMarkup(
    <Tabs label="Kinds" tabs={tabs} open="b" href={(id) => `?tab=${id}`} />,
  );
  expect(html).toMatch(/role="tablist" aria-label="Kinds"/);
  expect(html).toMatch(/<a [^>]*aria-selected="true"[^>]*href="\?tab=b"[^>]*>Two/);
  expect(html).toMatch(/<div id="a-panel" role="tabpanel"[^>]* hidden="">first/);
});

test("otherwise all panels are open until JavaScript runs", () => {
  const html = renderToStaticMarkup(<Tabs label="Kinds" tabs={tabs} open="b" />);
  expect(html).not.toMatch(/role="tab|hidden/);
  expect(html).toMatch(/>One<\/h3>first.*>Two<\/h3>second/);
});
