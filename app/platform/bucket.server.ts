import { S3mini } from "s3mini";
import type { Env } from "./env.server.ts";
import { hadOutage, noteOutage } from "./postgres/database-time.server.ts";

/** For the response to begin, and for each part of it. A request's 503 must go out within 5 s. */
const LIMIT_MS = 4_000;

/** Says what went wrong without addresses, headers and answers, which hold the access key. */
export class BucketError extends Error {}

export function openBucket(bucket: NonNullable<Env["bucket"]>, limitMs = LIMIT_MS) {
  const { endpoint, name: bucketName, ...access } = bucket;
  const fetch = fetchWithin(limitMs);
  const client = new S3mini({ ...access, endpoint: `${endpoint}/${bucketName}`, fetch });
  return {
    async write(name: string, bytes: Buffer, type: string): Promise<void> {
      const response = await explained("store a file", client.putObject(name, bytes, type));
      await response.body?.cancel();
    },
    async read(name: string, type: string) {
      const found = await explained("read a file", client.getObjectResponse(name));
      if (!found?.body) return null;
      const size = Number(found.headers.get("Content-Length"));
      if (size > 0 && found.headers.get("Content-Type") === type) return { body: found.body, size };
      noteOutage();
      await found.body.cancel();
      throw new BucketError("the bucket sent something else than a file of ours");
    },
    async remove(name: string): Promise<void> {
      await explained("delete a file", client.deleteObject(name));
    },
    async list() {
      const found = await explained("list its files", client.listObjects());
      if (!found) throw new BucketError("there is no such bucket");
      return found.map(({ Key, Size, LastModified }) => ({
        ...{ name: Key, size: Number(Size), changedAt: new Date(LastModified) },
      }));
    },
  };
}

async function explained<T>(what: string, called: Promise<T>): Promise<T> {
  try {
    return await called;
  } catch (error) {
    if (error instanceof BucketError) throw error;
    const { status = "", code = "", body = "" } = error as S3Failure;
    const region = code === "AuthorizationHeaderMalformed" && REGION.exec(body)?.[1];
    const advice = region ? `: set S3_REGION=${region}` : "";
    throw new BucketError(`the bucket did not ${what}: ${status} ${code}${advice}`);
  }
}

type S3Failure = { status?: number; code?: string; body?: string };

/** In the words of AWS and MinIO, and of Garage. */
const REGION = /expect(?:ing '|ed: \d{8}\/)([a-z0-9-]{1,40})['/]/;

/** Throws BucketError. After an outage, the same request does not wait for the bucket again. */
function fetchWithin(limitMs: number): typeof fetch {
  return async (address, init) => {
    if (hadOutage()) throw new BucketError("this request does not ask the bucket again");
    const abort = new AbortController();
    const inTime = <T>(pending: Promise<T>): Promise<T> => {
      const late = () => abort.abort(new BucketError("the bucket did not answer in time"));
      const timer = setTimeout(late, limitMs);
      return pending.catch(rethrow).finally(() => clearTimeout(timer));
    };
    const headers = new Headers(init?.headers);
    // Otherwise the length could be that of a compressed body.
    headers.set("Accept-Encoding", "identity");
    const options = { ...init, headers, redirect: "error", signal: abort.signal } as const;
    const response = await inTime(fetch(address, options));
    if (response.status >= 500 || response.status === 429) noteOutage();
    return response.body ? new Response(eachPart(response.body, inTime), response) : response;
  };
}

function rethrow(error: unknown): never {
  noteOutage();
  if (error instanceof BucketError) throw error;
  const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  throw new BucketError(`the bucket cannot be reached: ${code ?? message}`);
}

function eachPart(
  body: ReadableStream<Uint8Array>,
  inTime: <T>(pending: Promise<T>) => Promise<T>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await inTime(reader.read());
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
