import type { IncomingMessage } from "node:http";
import { isJsonContentType } from "@modelcontextprotocol/server";
import { type Refusal, rpcRefusal } from "./refusal.js";

/** Bytes: 1 MiB. */
export const LARGEST_BODY = 1024 * 1024;

/** Levels of objects and lists in a body: far more than any call has, and far less than what ends a recursion. */
const DEEPEST = 100;

/** JSON-RPC's code for what is no JSON. */
const PARSE_ERROR = -32700;

/** Reads the JSON of a POST. What is over the limit is let through unread, so that the client sees the answer. */
export async function readJsonBody(req: IncomingMessage): Promise<{ body: unknown } | { refusal: Refusal }> {
  if (!isJsonContentType(req.headers["content-type"] ?? null)) {
    return {
      refusal: rpcRefusal(415, "The Content-Type must be application/json."),
    };
  }
  const bytes = await readBytes(req);
  if (bytes === undefined) return { refusal: rpcRefusal(413, "The body is over 1 MiB.") };
  try {
    // Not `toString`: it would quietly change what is no UTF-8.
    const body: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (!isDeeper(body, DEEPEST)) return { body };
    const why = `The body is nested more than ${DEEPEST} levels deep.`;
    return { refusal: rpcRefusal(400, why, undefined, PARSE_ERROR) };
  } catch {
    return {
      refusal: rpcRefusal(400, "The body is not JSON in UTF-8.", undefined, PARSE_ERROR),
    };
  }
}

/** Without recursion: what is looked for would end it. */
function isDeeper(body: unknown, levels: number): boolean {
  let layer = [body];
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth > levels) return true;
    layer = layer.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}

/** Undefined when there are more than `LARGEST_BODY`. Rejects when the client leaves in the middle. */
function readBytes(req: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= LARGEST_BODY) chunks.push(chunk);
      else resolve(undefined);
    });
    req.once("end", () => resolve(size <= LARGEST_BODY ? Buffer.concat(chunks) : undefined));
    req.once("error", reject);
    req.once("close", () => reject(new Error("The client left.")));
  });
}
