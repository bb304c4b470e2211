import { useEffect } from "react";
import { toast } from "../../../ui/toast.ts";
import type { PartnerAnswer } from "./answers.server.ts";

/** Says in a toast what a refused form says on the page. */
export function useAnswerToast(answer: PartnerAnswer | null | undefined) {
  useEffect(() => {
    if (!answer) return;
    const { title, errors, description = errors && Object.values(errors)[0] } = answer;
    toast({ title, description, tone: "danger" });
  }, [answer]);
}
