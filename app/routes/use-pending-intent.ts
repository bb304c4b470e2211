import { useNavigation } from "react-router";

export function usePendingIntent(): string | undefined {
  const intent = useNavigation().formData?.get("intent");
  return typeof intent === "string" ? intent : undefined;
}
