import { Outlet } from "react-router";
import { adminsOnly } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/admin-plain";

/** Admin pages without the site's frame, such as printouts. */
export const middleware: Route.MiddlewareFunction[] = [adminsOnly];

export const handle = { noindex: true };

export default function AdminPlain() {
  return <Outlet />;
}
