import { mkdir } from "node:fs/promises";
import { tikkurilaArena } from "./arena.ts";
import { kumpulaBubble } from "./bubble.ts";
import { socialCard, tooloCage } from "./cage.ts";
import { writePhoto } from "./encode.ts";
import { otaniemiHall, tapiolaCourt } from "./hall.ts";
import { writeIcons, writeSocialCard } from "./icons.ts";
import { renderScene, type Scene } from "./scene.ts";
import { arabiaShore } from "./shore.ts";
import { myyrmakiWinter } from "./winter.ts";

const VENUES: Record<string, () => Scene[]> = {
  "otaniemi-hall": otaniemiHall,
  "kumpula-bubble": kumpulaBubble,
  "toolo-cage": tooloCage,
  "arabia-shore": arabiaShore,
  "tapiola-court": tapiolaCourt,
  "tikkurila-arena": tikkurilaArena,
  "myyrmaki-winter": myyrmakiWinter,
};

/**
 * Writes the venue pictures, the icons and the social card into `public/`. Names pick a part:
 * `node db/pictures/render.ts toolo-cage arabia-shore-2 icons`. `--draft` is quick and rough.
 */
await renderAll(process.argv.slice(2));

async function renderAll(words: string[]): Promise<void> {
  const draft = words.includes("--draft");
  const names = words.filter((word) => !word.startsWith("--"));
  const wanted = (name: string) =>
    names.length === 0 || names.some((each) => `${name}-`.startsWith(`${each}-`));
  const publicFolder = new URL("../../public/", import.meta.url);
  const photos = new URL("photos/", publicFolder);
  await mkdir(photos, { recursive: true });
  const draw = (scene: Scene) => (draft ? renderScene(scene, 800, 1) : renderScene(scene));
  for (const [slug, scenes] of Object.entries(VENUES)) {
    for (const [index, scene] of scenes().entries()) {
      const name = `${slug}-${index + 1}`;
      if (!wanted(name)) continue;
      await writePhoto(photos, name, await draw(scene));
      console.log(name);
    }
  }
  if (wanted("icons")) await writeIcons(publicFolder);
  if (wanted("social-card")) await writeSocialCard(publicFolder, await draw(socialCard()));
}
