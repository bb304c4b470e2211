import path from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { chunkList } from "./scripts/chunk-list.ts";

const APP = path.join(import.meta.dirname, "app/");
/**
 * What most pages have: the parts of every area, and of no single one. A new area needs no line
 * here; forms and boxes come with the pages that have them.
 */
const COMMON =
  /^(platform|features|ui\/(?!dialog[.]|field|error-summary)|routes\/(layouts\/|[^/]+$))/;

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), chunkList()],
  environments: {
    // The web process is bundled with the pages, so that both share one database pool.
    ssr: { build: { rolldownOptions: { input: "./server.ts" } } },
    client: {
      build: {
        rolldownOptions: {
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
                  // The whole path: the project may lie in a folder that is called app.
                  test: (id) => id.startsWith(APP) && COMMON.test(id.slice(APP.length)),
                  minShareCount: 3,
                  priority: 1,
                },
              ],
            },
          },
        },
      },
    },
  },
  build: { assetsInlineLimit: 0 },
});
