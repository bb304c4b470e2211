import { createSocket } from "node:dgram";
import { once } from "node:events";

const TXT = 16;
const [REFUSED, NXDOMAIN] = [5, 3];

export interface DnsServer {
  /** For `setServers`. */
  address: string;
  /** The texts of each name. Names above it are there without a text. */
  texts: Record<string, string[]>;
  isRejecting: boolean;
  close(): void;
}

/** A DNS server on loopback that knows texts only (RFC 1035, 4.1). */
export async function openDnsServer(): Promise<DnsServer> {
  const socket = createSocket("udp4");
  const server = { texts: {}, isRejecting: false } as unknown as DnsServer;
  socket.on("message", (query, { port, address }) => {
    socket.send(answer(server, query), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  server.address = `127.0.0.1:${socket.address().port}`;
  server.close = () => void socket.close();
  return server;
}

function answer({ texts, isRejecting }: DnsServer, query: Buffer): Buffer {
  const { name, end } = readName(query);
  const found = texts[name] ?? [];
  const isThere = Object.keys(texts).some((each) => each === name || each.endsWith(`.${name}`));
  const code = isRejecting ? REFUSED : isThere ? 0 : NXDOMAIN;
  const records = found.map((text) => {
    // A string has at most 255 bytes; a longer text is several.
    const parts = text.match(/.{1,255}/g)!.map((part) => Buffer.from(`\0${part}`));
    for (const part of parts) part[0] = part.length - 1;
    const data = Buffer.concat(parts);
    const head = Buffer.from([0xc0, 12, 0, TXT, 0, 1, 0, 0, 0, 60, 0, 0]);
    head.writeUInt16BE(data.length, 10);
    return Buffer.concat([head, data]);
  });
  const head = Buffer.from([0, 0, 0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0]);
  query.copy(head, 0, 0, 2);
  return Buffer.concat([head, query.subarray(12, end + 4), ...records]);
}

/** The name that is asked for, and where it ends. */
function readName(query: Buffer) {
  const labels = [];
  let end = 12;
  for (let length = query[end]!; length > 0; length = query[end]!) {
    labels.push(query.toString("latin1", end + 1, end + 1 + length));
    end += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), end: end + 1 };
}
