import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";

/** The log of a period as a file. A plain form: the answer is no page. */
export function ExportForm() {
  return (
    <form
      method="get"
      action="/admin/log.csv"
      className="grid grid-cols-2 gap-3 border-t border-line pt-4 md:grid-cols-[1fr_1fr_auto] md:items-end"
    >
      <TextField type="date" label="From" name="from" />
      <TextField type="date" label="To" name="to" />
      <Button className="min-h-12 max-md:col-span-2">Download CSV</Button>
    </form>
  );
}
