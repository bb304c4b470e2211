import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** What the server replies; without an entry it accepts. Keys of `recipients` are local parts. */
export interface MailServerMood {
  isClosing?: boolean;
  greeting?: number;
  auth?: number;
  sender?: number;
  recipients?: Record<string, number>;
  message?: number;
}

export interface MailServer {
  url: string;
  mood: MailServerMood;
  /** The Message-IDs of the mails that it took, in order. */
  taken: string[];
  /** How often somebody connected. */
  connections: number;
  /** How often a mail to that local part was offered. */
  offered(localPart: string): number;
  close(): Promise<void>;
}

/** A real SMTP server on loopback, in the mood that a test wants. */
export async function openMailServer(port = 0): Promise<MailServer> {
  const peer = { mood: {}, taken: [], connections: 0 } as unknown as MailServer;
  const offers: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    logger: false,
    onConnect: (_, done) => done(errorFor(peer.mood.greeting)),
    onAuth: (_, __, done) => done(errorFor(peer.mood.auth), { user: "site" }),
    onMailFrom: (_, __, done) => done(errorFor(peer.mood.sender)),
    onRcptTo({ address }, _, done) {
      const [name = ""] = address.split("@");
      offers.push(name);
      done(errorFor(peer.mood.recipients?.[name], address));
    },
    onData(stream, _, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
      stream.on("end", () => {
        const error = errorFor(peer.mood.message);
        if (!error) peer.taken.push(/^Message-ID: (.+)$/im.exec(text)![1]!.trim());
        done(error);
      });
    },
  });
  server.on("error", () => {});
  server.server.on("connection", (socket) => {
    peer.connections += 1;
    if (peer.mood.isClosing) socket.destroy();
  });
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  return Object.assign(peer, {
    url: `smtp://site:password@127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    offered: (name: string) => offers.filter((one) => one === name).length,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

function errorFor(responseCode: number | undefined, address = ""): Error | null {
  if (!responseCode) return null;
  return Object.assign(new Error(`5.1.1 <${address}>:\n  not now`), { responseCode });
}
