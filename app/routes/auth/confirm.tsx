import { type RouterContextProvider, data, redirect } from "react-router";
import {
  type Confirmed,
  confirmSignUp,
  findConfirmed,
  findOpenLink,
} from "#app/features/players/sign-up.server.ts";
import { tooManyAttempts } from "#app/features/accounts/rules.ts";
import { recallDebt } from "#app/features/wallet/debts.server.ts";
import { addressContext, appContext } from "#app/routes/context.server.ts";
import { knownDevice, signUpBrowser } from "#app/routes/cookies.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { getViewer } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/confirm";
import type { Answer } from "./answer.ts";
import { broke, redirectConfirmed } from "./answers.server.ts";
import { ConfirmForm, type LinkView, UsedLink } from "./confirm-form.tsx";
import { useAnswerToast } from "./outcome.tsx";
import { useHeadingFocus } from "#app/ui/page-change.tsx";

export { pageHeaders as headers } from "./page-headers.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Confirm your email", noindex: true });

type Context = Readonly<RouterContextProvider>;

/** The link of the confirmation mail: programs open it before people do, so it changes nothing. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get("token");
  if (!token) return data({ link: null, isConfirmed: false }, { status: 400 });
  const page = await look(context, request, token);
  if (page.link) return data(page);
  const viewer = await getViewer(context);
  const { db, now } = context.get(appContext);
  // Who is in already by this very link has nothing to read.
  if (viewer && (await findConfirmed(db, token, now())) === viewer.userId) throw redirect("/");
  return data(page, { status: 410 });
}

export async function action({ request, context }: Route.ActionArgs) {
  const { token = "", password = "" } = await formFields(request);
  const app = context.get(appContext);
  try {
    const result = await confirm(context, request, { token, password });
    if (result.ok) {
      const findViewer = () => getViewer(context);
      return await redirectConfirmed({ app, request, findViewer }, result);
    }
    const page = await look(context, request, token);
    return data({ ...page, answer: answerOf(result) }, refusalOf(result));
  } catch (error) {
    const { data: answer, init } = broke({ form: "confirm" })(error);
    return data({ link: null, isConfirmed: false, answer }, init ?? {});
  }
}

async function confirm(
  context: Context,
  request: Request,
  { token, password }: { token: string; password: string },
) {
  const app = context.get(appContext);
  const browserHash = await signUpBrowser(app.env, request);
  const link = await findOpenLink(app.db, { token, browserHash }, app.now());
  const person = app.accounts.personOf(link?.email ?? "");
  const device = await knownDevice(app.env, request, person);
  const address = context.get(addressContext);
  return confirmSignUp(
    { ...app, recallMore: recallDebt },
    { token, password, browserHash, address, device },
    app.now(),
  );
}

/** What the page of a token shows to this browser. */
async function look(context: Context, request: Request, token: string) {
  const { env, db, now } = context.get(appContext);
  const browserHash = await signUpBrowser(env, request);
  const found = await findOpenLink(db, { token, browserHash }, now());
  const link: LinkView | null = found && { ...found, token };
  const isConfirmed = !found && (await findConfirmed(db, token, now())) !== null;
  return { link, isConfirmed };
}

type Failed = Confirmed & { ok: false };

function answerOf(result: Failed): Answer {
  if (result.reason === "too-many") {
    return { form: "confirm", failure: tooManyAttempts(result.retryAfterSeconds) };
  }
  return result.reason === "gone"
    ? { form: "confirm" }
    : { form: "confirm", errors: { password: WRONG[result.reason] } };
}

const WRONG = {
  "no-password": "Please type the password that you chose when you signed up",
  "wrong-password": "This is not the password of this sign-up",
};

function refusalOf(result: Failed): ResponseInit {
  if (result.reason === "gone") return { status: 410 };
  if (result.reason !== "too-many") return { status: 422 };
  return { status: 429, headers: { "Retry-After": String(result.retryAfterSeconds) } };
}

export default function Confirm({ loaderData, actionData }: Route.ComponentProps) {
  const answer = actionData?.answer;
  // What broke on our side leaves the page as it was.
  const isBroken = answer?.failure !== undefined && !actionData?.link;
  const { link, isConfirmed } = actionData && !isBroken ? actionData : loaderData;
  useAnswerToast(answer);
  useHeadingFocus(actionData !== undefined && !link);
  return link ? (
    <ConfirmForm link={link} answer={answer} />
  ) : (
    <UsedLink isConfirmed={isConfirmed} />
  );
}
