import { type ComponentProps, createContext, type ReactNode, use } from "react";
import { useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { FormErrors } from "./form-errors.tsx";
import { PostForm } from "./post-form.tsx";

type Hidden = Record<string, string | number | null | undefined>;

interface IntentFormProps
  extends
    Omit<ComponentProps<typeof PostForm>, "hidden">,
    Partial<ComponentProps<typeof FormErrors>> {
  intent?: string;
  /** Such as a version or an id. Forms of one intent have the same names, but different values. */
  hidden?: Hidden | undefined;
  /** New on each load: by it the server recognises a form that is sent again. */
  once?: Record<string, string>;
}

/** Posts its intent. Shows the server's errors first; its `SubmitButton` waits while it is sent. */
export function IntentForm(props: IntentFormProps) {
  const { intent, hidden, once = {}, result, fieldId, toast, children, ...form } = props;
  const { formData } = useNavigation();
  const fields = Object.entries({ intent, ...hidden }).filter(
    ([, value]) => (value ?? null) !== null,
  );
  const isSent = formData !== undefined && formData.get("intent") === (intent ?? null);
  const isPending = isSent && fields.every(([name, value]) => formData.get(name) === String(value));
  return (
    <PostForm noValidate className="grid gap-4" {...form}>
      {fields.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value!} />
      ))}
      {Object.entries(once).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} data-once="" />
      ))}
      <FormErrors result={result} fieldId={fieldId} toast={toast} />
      <PendingContext value={isPending}>{children}</PendingContext>
    </PostForm>
  );
}

const PendingContext = createContext(false);

export function SubmitButton(props: Omit<ComponentProps<typeof Button>, "pending">) {
  return <Button pendingLabel="Saving…" {...props} pending={use(PendingContext)} />;
}

interface ShortFormProps
  extends
    Omit<IntentFormProps, "className">,
    Pick<ComponentProps<typeof Button>, "variant" | "pendingLabel"> {
  username?: string | null | undefined;
  submit: ReactNode;
}

/** A few fields, or none, and one button with the errors right above it. */
export function ShortForm({
  username,
  result,
  fieldId,
  toast,
  children,
  ...props
}: ShortFormProps) {
  const { submit, pendingLabel = submit, variant = "primary", ...form } = props;
  return (
    <IntentForm {...form}>
      {username && <Username value={username} />}
      {children}
      <FormErrors result={result} fieldId={fieldId} toast={toast} />
      <SubmitButton variant={variant} size="lg" wide pendingLabel={pendingLabel}>
        {submit}
      </SubmitButton>
    </IntentForm>
  );
}

/** Password managers keep passwords by this name. */
export function Username({ value }: { value: string }) {
  return <input hidden readOnly name="username" autoComplete="username" value={value} />;
}
