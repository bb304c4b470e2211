import { appContext } from "#app/routes/context.server.ts";
import type { Route } from "./+types/shared-picture";
import { cardPicture, loadSharedCard, UNLISTED } from "./card-picture.server.tsx";
import { sendPicture, noPicture } from "#app/routes/responses/picture-response.server.ts";

/** A shared card as a PNG, 1080 × 1350, or as the preview of its link, 1200 × 630. */
export async function loader({ request, params, context, pattern }: Route.LoaderArgs) {
  const card = await loadSharedCard(context.get(appContext), params.token);
  const format = pattern.endsWith("social.png") ? "social-card" : "card";
  return card ? sendPicture(request, context, cardPicture(card, format), UNLISTED) : noPicture();
}
