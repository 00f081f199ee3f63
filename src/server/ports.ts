import { once } from "node:events";
import type { Server } from "node:http";
import { errorCode } from "../data-folder/folder-error.js";

const HOST = "127.0.0.1";
const FIRST = 5226;
const LAST = 5245;

export interface PortWish {
  /** `--port`. */
  readonly wanted?: number;
  /** The port of the last start: the clients are registered with it. */
  readonly last?: number;
}

/** The ports to try in turn: `--port`, else that of the last start, else the first free one of 5226 to 5245. */
export function portsToTry({ wanted, last }: PortWish): readonly number[] {
  const only = wanted ?? last;
  if (only !== undefined) return [only];
  return Array.from({ length: LAST - FIRST + 1 }, (_, i) => FIRST + i);
}

/** No port could be had. `message` is one line that says which and what to do. */
export class PortError extends Error {
  override readonly name = "PortError";
}

/** Listens on 127.0.0.1, on the first of `ports` that is free, and returns it. Throws `PortError`. */
export async function listenOn(server: Server, ports: readonly number[]): Promise<number> {
  let refused: unknown;
  for (const port of ports) {
    try {
      server.listen({ host: HOST, port });
      await once(server, "listening");
      return listeningPort(server);
    } catch (error) {
      refused = error;
    }
  }
  throw portError(ports, refused);
}

function listeningPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new PortError("The listener has no port.");
  return address.port;
}

function portError(ports: readonly number[], refused: unknown): PortError {
  const [first] = ports;
  const last = ports.at(-1);
  const named = first === last ? `Port ${first} is` : `Ports ${first} to ${last} are all`;
  const options = { cause: refused };
  switch (errorCode(refused)) {
    case "EADDRINUSE":
      return new PortError(`${named} in use. Stop what uses it, or choose another with --port.`, options);
    case "EACCES":
      return new PortError(`${named} not allowed for this user. Choose one above 1023 with --port.`, options);
    default:
      return new PortError(`Cannot listen on ${HOST}:${first}: ${String(refused)}.`, options);
  }
}
