import { appContext } from "#app/routes/context.server.ts";
import type { Route } from "./+types/manifest";

export function loader({ context }: Route.LoaderArgs) {
  const { brandName } = context.get(appContext).env;
  const manifest = {
    id: "/",
    name: brandName,
    short_name: brandName,
    description: "Pick-up football on campus",
    start_url: "/events",
    scope: "/",
    display: "standalone",
    background_color: "#0a100d",
    theme_color: "#0a100d",
    icons: [
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
    shortcuts: [
      { name: "Games", url: "/events" },
      { name: "My Games", url: "/bookings" },
    ],
  };
  return Response.json(manifest, { headers: { "Content-Type": "application/manifest+json" } });
}
