import type { CoreJson } from "../../core/api/chat-api.js";
import { unparsable } from "../data/errors.js";
import type { Json } from "../data/rows.js";
import type { User } from "../user/user.js";

const FORM = new RegExp(
  "^ socks=(?<socks>off|on|\\S+)( socks-mode=(?<socksMode>always|onion))?( host-mode=(?<hostMode>onion|public))?" +
    "(?<required> required-host-mode)?( smp-proxy=(?<proxy>always|unknown|unprotected|never))?" +
    "( smp-proxy-fallback=(?<fallback>yes|protected|no))?( smp-web-port-servers=(?<web>all|preset|off))?" +
    "( timeout=(?<timeout>\\d+))?( log=(?<log>on|off))?$",
);

const FALLBACKS = new Map([
  ["yes", "allow"],
  ["protected", "allowProtected"],
  ["no", "prohibit"],
]);

/** `/network`: reads the settings, or sets them; what is not given keeps its value, or goes back to its default. */
export function network(user: User, args: string): CoreJson {
  if (args !== "") user.session.networkConfig = parse(args, user.session.networkConfig);
  return { type: "networkConfig", networkConfig: user.session.networkConfig };
}

function parse(args: string, { socksProxy: _, ...before }: Json): Json {
  const groups = FORM.exec(args)?.groups;
  if (!groups) throw unparsable();
  const { socks, socksMode, hostMode, required, proxy, fallback, web, timeout, log } = groups;
  const proxied = socks === "on" ? "localhost:9050" : socks;
  const micros = (factor: number) => Number(timeout) * factor * 1_000_000;
  return {
    ...(socks !== "off" && { socksProxy: proxied }),
    ...before,
    socksMode: socksMode ?? "always",
    hostMode: hostMode ?? (socks === "off" ? "public" : "onionViaSocks"),
    requiredHostMode: required !== undefined,
    ...(proxy && { smpProxyMode: proxy }),
    ...(fallback && { smpProxyFallback: FALLBACKS.get(fallback) }),
    smpWebPortServers: web ?? "preset",
    ...(timeout && { tcpTimeout: { backgroundTimeout: micros(3), interactiveTimeout: micros(1) } }),
    logTLSErrors: log === "on",
  };
}
