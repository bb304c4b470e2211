import { Outlet } from "react-router";
import { adminsOnly } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/admin-plain";

/** Pages for admins without the frame of the site, such as what is printed. */
export const middleware: Route.MiddlewareFunction[] = [adminsOnly];

export const handle = { noindex: true };

export default function AdminPlain() {
  return <Outlet />;
}
