import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
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
                // What only opens with the plans is loaded with them.
                {
                  name: "shared",
                  test: /app\/(?!ui\/dialog|routes\/(credits|wallet))/,
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
