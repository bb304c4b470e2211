import { Form } from "react-router";
import { Button } from "#app/ui/button.tsx";

/** Whether this chat is pushed to the viewer. */
export function Mute({ path, isMuted }: { path: string; isMuted: boolean }) {
  return (
    <Form method="post" action={path} className="mt-2 flex flex-wrap items-center gap-x-3">
      <input type="hidden" name="intent" value={isMuted ? "unmute" : "mute"} />
      <Button>{isMuted ? "Unmute" : "Mute"}</Button>
      {isMuted && <span className="text-sm text-muted">Muted: no push messages of this chat</span>}
    </Form>
  );
}
