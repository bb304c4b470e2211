import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";

/** The log of a period as a file. A plain form: the answer is no page. */
export function ExportForm() {
  return (
    <form
      method="get"
      action="/admin/log.csv"
      className="grid gap-3 border-t border-line pt-4 min-[24rem]:grid-cols-2 md:grid-cols-[1fr_1fr_auto] md:items-end"
    >
      <TextField type="date" label="From" name="from" />
      <TextField type="date" label="To" name="to" />
      <Button className="min-h-12 max-md:col-span-full">Download CSV</Button>
    </form>
  );
}
