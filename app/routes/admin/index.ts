import { redirect } from "react-router";
import { requireAdmin } from "../guards.server.ts";
import type { Route } from "./+types/index";

/** The desk opens on its first tab. */
export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context, request);
  return redirect("/admin/payments");
}

export const action = loader;
