import type { ComponentProps } from "react";
import { Form, useNavigation } from "react-router";
import { Button, type ButtonVariant } from "#app/ui/button.tsx";
import { FormErrors } from "./form-errors.tsx";

type ErrorProps = Pick<ComponentProps<typeof FormErrors>, "result" | "fieldId" | "hasToast">;
type FormProps = Pick<ComponentProps<typeof Form>, "action" | "replace" | "children">;

interface ShortFormProps extends ErrorProps, FormProps {
  /** Names the form where its page has several. */
  intent?: string;
  hidden?: Record<string, string | null | undefined>;
  /** Whose password the form asks for. */
  username?: string | null | undefined;
  submit: string;
  pendingLabel: string;
  variant?: ButtonVariant;
}

/** A few fields and one button, with the errors right above it. */
export function ShortForm({ intent, hidden, username, result, ...props }: ShortFormProps) {
  const { fieldId, hasToast, submit, pendingLabel, variant = "primary", children, ...form } = props;
  const { formData } = useNavigation();
  const pending = formData !== undefined && formData.get("intent") === (intent ?? null);
  return (
    <Form method="post" noValidate {...form} className="grid gap-4">
      {Object.entries({ intent, ...hidden }).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {username && <Username value={username} />}
      {children}
      <FormErrors result={result} fieldId={fieldId} hasToast={hasToast} />
      <Button variant={variant} size="lg" wide pending={pending} pendingLabel={pendingLabel}>
        {submit}
      </Button>
    </Form>
  );
}

/** For password managers, which keep passwords by name. */
export function Username({ value }: { value: string }) {
  return <input hidden readOnly name="username" autoComplete="username" value={value} />;
}
