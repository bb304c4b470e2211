import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // The web process is bundled with the pages, so that both share one database pool.
  environments: { ssr: { build: { rolldownOptions: { input: "./server.ts" } } } },
  build: { assetsInlineLimit: 0 },
});
