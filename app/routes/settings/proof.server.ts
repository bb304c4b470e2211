import type { RouterContextProvider } from "react-router";
import type { PasswordProof } from "#app/features/accounts/sign-in.server.ts";
import { addressContext, appContext } from "#app/routes/context.server.ts";
import { knownDevice } from "#app/routes/cookies.server.ts";

/** Who types their password again, from which browser and address, as guesses are counted. */
export async function readProof(
  context: Readonly<RouterContextProvider>,
  request: Request,
  { email }: { email: string },
  password: string,
): Promise<PasswordProof> {
  const { env, accounts } = context.get(appContext);
  const device = await knownDevice(env, request, accounts.personOf(email));
  return { email, device, password, address: context.get(addressContext) };
}
