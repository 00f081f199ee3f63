import type { Json } from "../data/values.js";

/** What a core holds in memory: gone when it is closed. */
export interface Session {
  started: boolean;
  networkConfig: Json;
  /** Whether the connection to the server was reported. */
  hostConnected: boolean;
  /** File servers whose connection was reported. */
  readonly fileHosts: Set<string>;
  /** Where files and temporary files go. */
  readonly folders: { temp?: string; files?: string };
}

/** A core that was just opened. */
export const newSession = (): Session => ({
  started: false,
  networkConfig: DEFAULT_NETWORK,
  hostConnected: false,
  fileHosts: new Set(),
  folders: {},
});

const DEFAULT_NETWORK: Json = {
  socksMode: "always",
  hostMode: "onionViaSocks",
  requiredHostMode: false,
  sessionMode: "session",
  smpProxyMode: "never",
  smpProxyFallback: "allow",
  smpWebPortServers: "preset",
  tcpConnectTimeout: { backgroundTimeout: 45000000, interactiveTimeout: 15000000 },
  tcpTimeout: { backgroundTimeout: 30000000, interactiveTimeout: 10000000 },
  tcpTimeoutPerKb: 5000,
  rcvConcurrency: 8,
  tcpKeepAlive: { keepIdle: 30, keepIntvl: 15, keepCnt: 4 },
  smpPingInterval: 600000000,
  smpPingCount: 3,
  logTLSErrors: false,
};
