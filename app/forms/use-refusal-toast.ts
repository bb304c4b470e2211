import { useEffect } from "react";
import { toast } from "#app/ui/toast.ts";

interface Refusal {
  title: string;
  description?: string;
  /** By the name of the field; without a description the first of them is said. */
  errors?: Record<string, string>;
}

/** Says in a toast what a refused form says on the page. */
export function useRefusalToast(answer: Refusal | null | undefined) {
  useEffect(() => {
    if (!answer) return;
    const { title, errors = {}, description = Object.values(errors)[0] } = answer;
    toast({ title, description, tone: "danger" });
  }, [answer]);
}
