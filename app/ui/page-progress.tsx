import { useNavigation } from "react-router";

/** A line at the upper edge while the next page is on its way; what comes at once shows none. */
export function PageProgress() {
  const { state } = useNavigation();
  if (state === "idle") return null;
  // For the eye: outside all landmarks, where readers would not find it. What was pressed says it too.
  return <div aria-hidden className="page-progress" />;
}
