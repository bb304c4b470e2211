import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { DialogTrigger, Dialog } from "./dialog.tsx";

test("the trigger opens its dialog without JavaScript", () => {
  const html = renderToStaticMarkup(<DialogTrigger dialog="plans">Buy credits</DialogTrigger>);
  expect(html).toContain('type="button"');
  expect(html).toContain('command="show-modal"');
  expect(html).toContain('commandfor="plans"');
});

test("a dialog is closed and named unless the page opens it", () => {
  const closed = renderToStaticMarkup(<Dialog id="plans" title="Choose Your Plan" children="…" />);
  expect(closed).not.toMatch(/<dialog[^>]* open=""/);
  expect(closed).toContain('aria-labelledby="plans-title"');
  expect(closed).toContain('closedby="any"');
  const open = renderToStaticMarkup(
    <Dialog id="plans" title="Plan" open={{ reason: "credits" }} children="…" />,
  );
  expect(open).toMatch(/<dialog[^>]* open=""/);
});
