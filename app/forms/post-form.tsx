import type { ComponentProps, ElementType } from "react";
import { Form, useRouteLoaderData } from "react-router";
import { type PageAccount, VISITOR } from "./page-account.ts";

type PostFormProps = Omit<ComponentProps<typeof Form>, "method"> & {
  via?: ElementType;
};

/** Every form that posts: it says for whom its page was made. */
export function PostForm({ via: Element = Form, children, ...form }: PostFormProps) {
  const { account } = usePageAccount();
  return (
    <Element {...form} method="post">
      {account && <input type="hidden" name="account" value={account} />}
      {children}
    </Element>
  );
}

/** The same for what scripts post. Nothing where the page does not know it, such as an error's. */
export function usePageAccount(): { account?: string } {
  const account = (useRouteLoaderData("root") as { account?: PageAccount } | undefined)?.account;
  return account === undefined ? {} : { account: account ?? VISITOR };
}
