import { useNavigation } from "react-router";

/** What the form that is on its way asks for, if one is. */
export function usePendingIntent(): string | undefined {
  const intent = useNavigation().formData?.get("intent");
  return typeof intent === "string" ? intent : undefined;
}
