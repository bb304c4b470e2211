import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Picture, ownPath, Thumbnail } from "./picture.tsx";

test("a photo of ours comes as AVIF and WebP in three widths", () => {
  const html = renderToStaticMarkup(
    <Picture src="/photos/hall-1-800.webp" alt="The hall" sizes="50vw" />,
  );
  for (const width of [480, 800, 1280]) {
    expect(html).toContain(`/photos/hall-1-${width}.avif ${width}w`);
    expect(html).toContain(`/photos/hall-1-${width}.webp ${width}w`);
  }
  expect(html).toContain('width="1280" height="720" loading="lazy"');
});

test("so does an uploaded one", () => {
  const src = "/files/photos/0a1b-800.webp";
  const html = renderToStaticMarkup(<Picture src={src} alt="" />);
  expect(html).toContain(`src="${src}"`);
  expect(html).toContain("/files/photos/0a1b-480.avif 480w");
  expect(html).toContain("/files/photos/0a1b-1280.webp 1280w");
});

test("a thumbnail is the smallest file, wide on large screens, or another picture as it is", () => {
  const own = renderToStaticMarkup(<Thumbnail src="/photos/hall-1-800.webp" />);
  expect(own.match(/\/photos\/[\w.-]+/g)).toEqual(
    ["256.avif", "480.webp"].map((end) => `/photos/hall-1-${end}`),
  );
  const wide = renderToStaticMarkup(<Thumbnail src="/photos/hall-1-800.webp" isWide />);
  expect(wide).toMatch(/media="[^"]+" srcSet="\/photos\/hall-1-480.avif"\/><source/i);
  expect(own).toContain('loading="lazy"');
  const other = renderToStaticMarkup(<Thumbnail src="/hall.jpg" priority />);
  expect(other).toMatch(/<img[^>]* src="\/hall.jpg"[^>]* loading="eager" fetchPriority="high"/);
  expect(other).not.toContain("<source");
});

test("the first picture of a page is loaded at once", () => {
  const html = renderToStaticMarkup(<Picture src="/photos/hall-1-800.webp" alt="" priority />);
  expect(html).toContain('loading="eager"');
  expect(html).toMatch(/<img[^>]*fetchpriority="high"/i);
});

test("any other picture is a plain image of its address", () => {
  const html = renderToStaticMarkup(<Picture src="https://club.example/hall.jpg" alt="" />);
  expect(html).toContain('src="https://club.example/hall.jpg"');
  expect(html).not.toContain("srcset");
  expect(html).not.toContain("<picture");
});

test.each(["/photos/hall-1-800.webp", "/files/avatars/1f-512.webp", "/a?b=c"])(
  "%s is ours",
  (path) => {
    expect(ownPath(path)).toBe(path);
  },
);

test.each([
  ...[
    "https://evil.example/x.png",
    "//evil.example/x.png",
    "/\\evil.example",
    "javascript:alert(1)",
  ],
  ...["data:image/png;base64,", "x.png", "", "/a\nb", "/a\\b", "http://["],
])("%j is not", (address) => {
  expect(ownPath(address)).toBeNull();
});

test("a missing path is null", () =>
  expect([ownPath(null), ownPath(undefined)]).toEqual([null, null]));
