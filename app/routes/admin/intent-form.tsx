import { type ComponentProps, createContext, use } from "react";
import { Form, useNavigation } from "react-router";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { PostForm } from "#app/forms/post-form.tsx";
import { Button } from "#app/ui/button.tsx";

interface IntentFormProps
  extends
    Omit<ComponentProps<typeof Form>, "method" | "hidden">,
    Partial<Pick<ComponentProps<typeof FormErrors>, "result" | "fieldId">> {
  intent: string;
  /** Such as a version or an id. Forms of one intent have the same names, but different values. */
  hidden?: Record<string, string | number>;
  /** New on each load: by it the server recognises a form that is sent again. */
  once?: Record<string, string>;
}

/** Posts its intent. Shows the server's errors first; its `SubmitButton` waits while it is sent. */
export function IntentForm(props: IntentFormProps) {
  const { intent, hidden = {}, once = {}, result, fieldId, children, ...form } = props;
  const { formData } = useNavigation();
  const fields = Object.entries({ intent, ...hidden });
  const isPending = fields.every(([name, value]) => formData?.get(name) === String(value));
  return (
    <PostForm noValidate className="grid gap-4" {...form}>
      {fields.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {Object.entries(once).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} data-once="" />
      ))}
      <FormErrors result={result} fieldId={fieldId} />
      <PendingContext value={isPending}>{children}</PendingContext>
    </PostForm>
  );
}

const PendingContext = createContext(false);

export function SubmitButton(props: Omit<ComponentProps<typeof Button>, "pending">) {
  return <Button pendingLabel="Saving…" {...props} pending={use(PendingContext)} />;
}
