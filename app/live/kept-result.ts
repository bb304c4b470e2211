import { useState } from "react";
import { useLocation, useNavigation } from "react-router";

// Keeps an error or a question until the next form or page: the router drops a form's result
// whenever data is read again, as pages do that follow others.
export function useKeptResult<R>(result: R | undefined): R | undefined {
  const { key } = useLocation();
  const isSending = useNavigation().formMethod !== undefined;
  const [kept, setKept] = useState({ key, result });
  const isOver = isSending || kept.key !== key;
  const shown = result ?? (isOver ? undefined : kept.result);
  if (shown !== kept.result || key !== kept.key) setKept({ key, result: shown });
  return shown;
}
