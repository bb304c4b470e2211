import path from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { chunkList } from "./scripts/chunk-list.ts";
import { leanRouter } from "./scripts/lean-router.ts";

const APP = path.join(import.meta.dirname, "app/");
/**
 * What every page has, and most: one file of it packs better than some small ones. A part of `ui/`
 * that one page alone has is to be named here; the budgets notice.
 */
const COMMON =
  /^(root|platform\/(?!text[.]|clock)|features\/games\/rules|ui\/(?!field|kept([.]|-before)|send-queue|error-summary|tabs|pager|first-few|email-text|file-links|progress|carousel)|routes\/(layouts\/(?!admin)|(?!load-failure|use-pending)[^/]+$))/;
/** What a page with a form has beyond that, or one of those that lead to it; drafts aside. */
const FORMS =
  /^(forms\/(?!form-watch|keep-drafts|typed-fields)|platform\/clock|features\/venues\/rules|ui\/(error-summary|pager|first-few|email-text|file-links|progress)|routes\/(credits\/plan-dialog|load-failure|games\/(waitlist\/entry-parts|friends\/share-game)))/;
/** What several pages of players have, but neither the list of games nor a game. */
const OTHERS = /^(forms\/short-form|ui\/(other-icons|unbroken-text)|routes\/structured-data)[.]/;
/** Small enough to cost less in the shared file than as files of their own. */
const SMALL = /^(forms\/(messages|revalidate-on-conflict|offline-middleware|account-watch)|live\/)/;
/** What admin shares with the pages of players. */
const APART =
  /^(ui\/(field|send-queue)[.]|features\/games\/time-slots[.]|features\/(accounts|seats|legal|partners|support|wallet)\/(rules|legal-text)[.])/;

const fileName = (id: string) => path.basename(id).replace(/[.].*/, "");

// The whole path: the project may lie in a folder that is called app.
const isIn = (id: string, pattern: RegExp) =>
  id.startsWith(APP) && pattern.test(id.slice(APP.length));

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), leanRouter(), chunkList()],
  environments: {
    // The web process is bundled with the pages, so that both share one database pool.
    ssr: {
      // Hundreds of small files each, which a start would read one by one.
      resolve: { noExternal: ["kysely", "stripe", "zod"] },
      build: { rolldownOptions: { input: "./server.ts" } },
    },
    client: {
      build: {
        rolldownOptions: {
          // The router's warnings, for who writes a page.
          treeshake: { manualPureFunctions: ["warning", "warningOnce", "warnOnce"] },
          output: {
            entryFileNames: "assets/[name]-[hash].js",
            // A few files instead of one for each small component: fewer requests, better packed.
            codeSplitting: {
              groups: [
                // What a page loads only when it is used, such as a combobox, stays apart from it.
                {
                  name: "framework",
                  test: /node_modules\/(react|react-dom|react-router|scheduler)\//,
                  priority: 2,
                },
                {
                  name: "shared",
                  test: (id) => !isIn(id, OTHERS) && (isIn(id, COMMON) || isIn(id, SMALL)),
                  priority: 1,
                },
                {
                  name: "forms",
                  test: (id) => !isIn(id, OTHERS) && isIn(id, FORMS),
                  minShareCount: 2,
                },
                { name: "games", test: (id) => isIn(id, /^routes\/games\/list\//) },
                {
                  name: "game",
                  test: (id) => isIn(id, /^routes\/games\/(show|game-sections)[.]tsx$/),
                },
                { name: "kept", test: (id) => isIn(id, /^ui\/kept([.]|-before)/), priority: 2 },
                { name: "others", test: (id) => isIn(id, OTHERS), minShareCount: 2 },
                // Files of their own, which would otherwise lie in admin's.
                { name: fileName, test: (id) => isIn(id, APART), priority: 1 },
                { name: "admin", test: (id) => isIn(id, /^routes\/admin\//), minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
  },
  build: { assetsInlineLimit: 0 },
});
