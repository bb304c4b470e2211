import type { Route } from "./+types/shared-social";
import { appContext } from "#app/routes/context.server.ts";
import { sendPicture, noPicture } from "#app/routes/picture-response.server.ts";
import { socialCardPicture } from "./card-picture.server.tsx";
import { loadSharedCard, UNLISTED } from "./shared-card.server.ts";

/** A shared card as the preview of its link, 1200 × 630. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const card = await loadSharedCard(app, params.token);
  return card ? sendPicture(request, context, socialCardPicture(card), UNLISTED) : noPicture();
}
