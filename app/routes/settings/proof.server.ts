import type { RouterContextProvider } from "react-router";
import type { PasswordProof } from "../../features/accounts/check-password.server.ts";
import { addressContext, appContext } from "../context.server.ts";
import { knownDevice } from "../device-cookie.server.ts";

/** Who types their password again, from which browser and address, as guesses are counted. */
export async function readProof(
  context: Readonly<RouterContextProvider>,
  request: Request,
  { email }: { email: string },
  password: string,
): Promise<PasswordProof> {
  const device = await knownDevice(context.get(appContext).env, request, email);
  return { email, device, password, address: context.get(addressContext) };
}
