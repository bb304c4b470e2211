import { useNavigation } from "react-router";

/** What is being done about the letter right now. */
export function usePendingIntent(): string | null {
  const intent = useNavigation().formData?.get("intent");
  return typeof intent === "string" ? intent : null;
}
