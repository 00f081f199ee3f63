import type { Owners } from "../control/owners/owners.js";
import type { StatusReport } from "../server/status-report.js";
import { VERSION } from "../terminal/version.js";
import { foldedLine } from "../text/literal.js";
import type { AgentDeps } from "../tools/call/agent.js";
import { countChats } from "../tools/list.js";

export interface ReportOptions {
  agent: string;
  expireHours: number;
  /** Milliseconds since 1970. */
  startedAt: number;
  owners: Owners;
  deps: AgentDeps;
}

/** What a running server tells about itself. Of owners and actions the agent gets names and numbers only. */
export async function reportStatus({
  agent,
  expireHours,
  startedAt,
  owners,
  deps,
}: ReportOptions): Promise<StatusReport> {
  const { current: paused } = deps.pause;
  return {
    agent,
    name: foldedLine(deps.viewer.name),
    version: VERSION,
    since: new Date(startedAt).toISOString(),
    ...(paused ? { paused: { by: foldedLine(paused.by), at: paused.at } } : {}),
    approve: deps.mode,
    expireHours,
    owners: owners.approvers.map(({ memberProfile }) => foldedLine(memberProfile.displayName)),
    chats: await countChats(deps),
    pending: deps.actions.pending().length,
  };
}
