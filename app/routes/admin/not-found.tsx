import { data } from "react-router";
import { metaOf } from "#app/routes/meta.ts";
import { Missing } from "#app/routes/error-screens.tsx";

/** Any other admin URL: without the admin role it responds as existing pages do. */
export async function loader() {
  return data(null, { status: 404 });
}

export const meta = metaOf({ title: "Page not found" });

export default function AdminPageNotFound() {
  return <Missing title="Page not found" back={{ to: "/admin", label: "To the overview" }} />;
}
