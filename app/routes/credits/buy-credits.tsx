import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";

/** Opens the plan dialog by a post to the page's own address. */
export function BuyCredits() {
  const isOpening = useNavigation().formData?.get("intent") === "buy-credits";
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value="buy-credits" />
      <Button pending={isOpening}>Buy credits</Button>
    </Form>
  );
}
