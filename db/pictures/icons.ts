import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import { within } from "./encode.ts";

const INK = "#0b1411";
const LIME = "#c8f135";

/** The mark: a pitch's centre circle, spot and halfway line, lime on ink. Legible at 16 pixels. */
function mark(corner: number, size: number): string {
  const reach = 19.5 * size;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">` +
    `<clipPath id="a"><rect width="64" height="64" rx="${corner}"/></clipPath>` +
    `<g clip-path="url(#a)"><path d="M0 0h64v64H0z" fill="${INK}"/>` +
    `<g fill="none" stroke="${LIME}" stroke-width="${6.5 * size}">` +
    `<circle cx="32" cy="32" r="${reach}"/><path d="M-4 32H68"/></g>` +
    `<circle cx="32" cy="32" r="${7.4 * size}" fill="${LIME}"/></g></svg>\n`
  );
}

/** Writes favicon, app icons and the touch icon into the public folder. */
export async function writeIcons(folder: URL): Promise<void> {
  const rounded = mark(14, 1);
  const square = mark(0, 0.86);
  const maskable = mark(0, 0.7);
  await writeFile(new URL("favicon.svg", folder), rounded);
  await writeFile(new URL("favicon.ico", folder), icoOf(await png(rounded, 32), 32));
  await writeFile(new URL("icon-192.png", folder), await png(rounded, 192));
  await writeFile(new URL("icon-512.png", folder), await png(rounded, 512));
  await writeFile(new URL("icon-maskable-512.png", folder), await png(maskable, 512));
  await writeFile(new URL("apple-touch-icon.png", folder), await png(square, 180));
}

/** Writes the 1200 × 630 card that links show: a palette PNG of at most 120 KB. */
export async function writeSocialCard(folder: URL, picture: Buffer): Promise<void> {
  const card = sharp(picture).removeAlpha().resize(1200, 630, { fit: "cover" });
  const bytes = await within(120_000, 100, (quality) =>
    card.clone().png({ palette: true, quality, dither: 0.35, effort: 10 }).toBuffer(),
  );
  await writeFile(new URL("social-card-1200x630.png", folder), bytes);
}

function png(svg: string, size: number): Promise<Buffer> {
  return sharp(Buffer.from(svg), { density: (72 * size) / 64 })
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** An icon file that holds one PNG. */
function icoOf(image: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(image.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, image]);
}
