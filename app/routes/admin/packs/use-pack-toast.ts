import { useEffect } from "react";
import { toast } from "../../../ui/toast.ts";
import type { PackAnswer } from "./pack-answers.server.ts";

/** Says in a toast what a refused form says on the page. */
export function usePackToast(answer: PackAnswer | null | undefined) {
  useEffect(() => {
    if (!answer) return;
    const { title, errors = {}, description = Object.values(errors)[0] } = answer;
    toast({ title, description, tone: "danger" });
  }, [answer]);
}
