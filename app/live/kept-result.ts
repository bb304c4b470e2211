import { useState } from "react";
import { useLocation, useNavigation } from "react-router";

// The router drops a form's result whenever the page reads its data again. On a page that does so
// by itself an error or a question stays until the next form or page.
export function useKeptResult<R>(result: R | undefined): R | undefined {
  const { key } = useLocation();
  const isSending = useNavigation().formMethod !== undefined;
  const [kept, setKept] = useState({ key, result });
  const isOver = isSending || kept.key !== key;
  const shown = result ?? (isOver ? undefined : kept.result);
  if (shown !== kept.result || key !== kept.key) setKept({ key, result: shown });
  return shown;
}
