import type { CoreJson } from "../../core/api/chat-api.js";
import { commandError, unparsable } from "../data/errors.js";
import type { Json } from "../data/rows.js";
import { parseServer } from "../network/links.js";
import { PRESET_OPERATORS, type PresetOperator } from "../network/preset-servers.js";
import type { User } from "../user/user.js";

/** A picture of one pixel, where the core has profile pictures of its own. */
export const TINY_IMAGE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=";

type Protocol = "smp" | "xftp";

/** `/smp`, `/xftp`: the servers to use instead of the presets. */
export function setServers(user: User, protocol: Protocol, addresses: readonly string[]): CoreJson {
  if (addresses.some((address) => !address.startsWith(`${protocol}://`) || !parseServer(address)))
    throw unparsable();
  const hosts = addresses.map((address) => parseServer(address)?.host);
  const duplicates = addresses.filter((_, at) => hosts.indexOf(hosts[at]) !== hosts.lastIndexOf(hosts[at]));
  if (duplicates.length > 0) {
    const errors = duplicates.map((address) => duplicateError(protocol, address));
    throw commandError(`user servers validation error(s): [${errors.join(",")}]`);
  }
  if (protocol === "smp") user.db.smpServers = addresses;
  else user.db.xftpServers = addresses;
  return { type: "cmdOk" };
}

function duplicateError(protocol: Protocol, address: string): string {
  const host = parseServer(address)?.host ?? "";
  const shown = /^[\d.]+$/.test(host) ? `THIPv4 (${host.split(".").join(",")})` : `THDomainName "${host}"`;
  const type = `AProtocolType SP${protocol.toUpperCase()}`;
  return `USEDuplicateServer {protocol = ${type}, duplicateServer = "${address}", duplicateHost = ${shown}}`;
}

/** `/_servers` */
export function userServers(user: User): CoreJson {
  const { smpServers, xftpServers } = user.db;
  let serverId = 0;
  const list = (servers: readonly string[], preset: boolean, enabled: boolean): Json[] =>
    servers.map((server) => ({ serverId: ++serverId, server, preset, enabled, deleted: false }));
  const operators = PRESET_OPERATORS.map((preset, at) => ({
    operator: operatorJson(preset, at + 1),
    smpServers: list(preset.smp, true, smpServers === undefined),
    xftpServers: list(preset.xftp, true, xftpServers === undefined),
    chatRelays: preset.relays.map(relayJson),
  }));
  const own = {
    smpServers: list(smpServers ?? [], false, true),
    xftpServers: list(xftpServers ?? [], false, true),
    chatRelays: [],
  };
  return user.answer("userServers", { userServers: [...operators, own] });
}

function operatorJson({ operator }: PresetOperator, operatorId: number): Json {
  const { smpStorage, ...named } = operator;
  return {
    operatorId,
    ...named,
    conditionsAcceptance: { type: "required" },
    enabled: true,
    smpRoles: { storage: smpStorage, proxy: true, names: true },
    xftpRoles: { storage: true, proxy: true, names: false },
  };
}

const relayJson = ({ chatRelayId, name, address }: PresetOperator["relays"][number]): Json => ({
  chatRelayId,
  address,
  relayProfile: { displayName: name, fullName: "", image: TINY_IMAGE },
  domains: ["simplex.im"],
  preset: true,
  enabled: true,
  deleted: false,
});
