import { foldedLine } from "./control/literal.js";
import type { Owners } from "./control/owners.js";
import type { StatusReport } from "./server/status-report.js";
import type { AgentDeps } from "./tools/agent.js";
import { countChats } from "./tools/list.js";
import { VERSION } from "./version.js";

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
  return {
    agent,
    name: foldedLine(deps.viewer.name),
    version: VERSION,
    since: new Date(startedAt).toISOString(),
    approve: deps.mode,
    expireHours,
    owners: owners.approvers.map(({ memberProfile }) => foldedLine(memberProfile.displayName)),
    chats: await countChats(deps),
    pending: deps.actions.pending().length,
  };
}
