import { helsinkiDate } from "../../platform/clock.ts";
import { appContext } from "../context.server.ts";
import { requirePlayer } from "../guards.server.ts";
import type { Route } from "./+types/statement-csv";
import { csvLines } from "./statement-lines.server.ts";

/** The whole statement as a file, newest first. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { userId } = await requirePlayer(context, request, { to: "/" });
  return new Response(streamOf(csvLines(db, userId)), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="statement-${helsinkiDate(now())}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}

/** Reads on only as fast as the browser takes it in. */
function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}
