import type { Translation } from "./translation.js";

/** One value of the simulated run that is not as recorded. */
export interface Mismatch {
  /** `chatItems[0].chatItem.meta.itemText` */
  path: string;
  recorded: unknown;
  simulated: unknown;
  /** Why, where the values alone do not say it. */
  note?: string;
}

interface Context {
  who: string;
  translation: Translation;
  mismatches: Mismatch[];
}

type Fields = Record<string, unknown>;

const MISSING = Symbol("missing");

/** The kind of id a key holds: ids of one kind are one number space of a user's database. */
const IDS: Record<string, string> = {
  contactId: "contact",
  contactId_: "contact",
  memberContactId: "contact",
  byContactId: "contact",
  contactGroupMemberId: "member",
  groupId: "group",
  fromGroupId_: "group",
  businessGroupId_: "group",
  groupMemberId: "member",
  invitedByGroupMemberId: "member",
  forwardedByMember: "member",
  fromGroupMemberId_: "member",
  itemId: "item",
  chatItemId: "item",
  minUnreadItemId: "item",
  fileId: "file",
  connId: "connection",
  pccConnId: "connection",
  fromGroupMemberConnId_: "connection",
  profileId: "profile",
  memberContactProfileId: "profile",
  customUserProfileId: "profile",
  userContactLinkId: "address",
  userContactLinkId_: "address",
  viaUserContactLink: "address",
  contactRequestId: "request",
  chatItemVersionId: "version",
  fileDescrId: "description",
};

/** Keys whose texts differ from run to run and are the same for all users. */
const SHARED: Record<string, string> = {
  memberId: "memberId",
  businessId: "memberId",
  customerId: "memberId",
  itemSharedMsgId: "message",
  sharedMsgId: "message",
  welcomeSharedMsgId: "message",
  requestSharedMsgId: "message",
  agentConnId: "agent",
  pccAgentConnId: "agent",
  agentConnIds: "agent",
  connections: "agent",
  agentInvitationId: "invitation",
  agentQueueId: "queue",
  groupLinkId: "groupLink",
  xContactId: "xContact",
  connFullLink: "link",
  connShortLink: "link",
  contactLink: "link",
  simplexUri: "link",
  groupDirectInvLink: "link",
  viaGroupLinkUri: "link",
  viaContactUri: "link",
  server: "server",
  serverAddress: "server",
  brokerAddress: "server",
  transportHost: "host",
  smpHosts: "host",
  memberKey: "key",
  memberPubKey: "key",
  agentSndFileId: "sending",
  agentRcvFileId: "receiving",
  fileDescrText: "descriptor",
  privateSndFileDescr: "descriptor",
  fileKey: "fileKey",
  fileNonce: "fileNonce",
};

/** A connection id in a row of an SQL answer: in hexadecimal, or as it is. */
const CONNECTION_ROW = /^(?:[0-9A-F]{32}|[\w-]{16})$/;

const QUOTED_ID = /"[\w-]{16}"/g;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Compares two answers or events of `who`, learning from them which ids and keys are the same. */
export function compare(
  who: string,
  recorded: unknown,
  simulated: unknown,
  translation: Translation,
): Mismatch[] {
  const context: Context = { who, translation, mismatches: [] };
  compareValue(recorded, simulated, "", "", {}, context);
  return context.mismatches;
}

function compareValue(
  recorded: unknown,
  simulated: unknown,
  path: string,
  key: string,
  parent: Fields,
  context: Context,
): void {
  if (Array.isArray(recorded) && Array.isArray(simulated)) {
    if (recorded.length !== simulated.length)
      report(path, recorded.length, simulated.length, context, "length");
    recorded.forEach((element, at) => {
      if (at < simulated.length) compareValue(element, simulated[at], `${path}[${at}]`, key, parent, context);
    });
  } else if (isFields(recorded) && isFields(simulated)) {
    compareFields(recorded, simulated, path, context);
  } else if (typeof recorded === "number" && typeof simulated === "number") {
    compareNumbers(recorded, simulated, path, key, parent, context);
  } else if (typeof recorded === "string" && typeof simulated === "string") {
    compareTexts(recorded, simulated, path, key, context);
  } else if (recorded !== simulated) {
    report(path, recorded, simulated, context);
  }
}

function compareFields(recorded: Fields, simulated: Fields, path: string, context: Context): void {
  noteRandomName(recorded, simulated, context.translation);
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(simulated)])) {
    const inner = path === "" ? key : `${path}.${key}`;
    const here = key in recorded ? recorded[key] : MISSING;
    const there = key in simulated ? simulated[key] : MISSING;
    if (here === MISSING || there === MISSING) report(inner, here, there, context);
    else compareValue(here, there, inner, key, recorded, context);
  }
}

/** The profile of an incognito connection has a random name, a host before it answers the start of its random id. */
function noteRandomName(recorded: Fields, simulated: Fields, translation: Translation): void {
  for (const key of ["customUserProfile", "userCustomProfile", "memberProfile"]) {
    const [from, to] = [recorded[key], simulated[key]];
    if (!isFields(from) || !isFields(to)) continue;
    if (key === "memberProfile" && !(isStartOfId(from, recorded) && isStartOfId(to, simulated))) continue;
    if (typeof from.displayName === "string" && typeof to.displayName === "string") {
      translation.noteName(from.displayName, to.displayName);
    }
  }
}

/** A host's id before it answers is `GROUP_unknown_host_RANDOM`, its name the start of the random part. */
function isStartOfId({ displayName }: Fields, { memberId }: Fields): boolean {
  const [, random] =
    /_unknown_host_(.+)$/.exec(Buffer.from(String(memberId), "base64").toString("latin1")) ?? [];
  return random !== undefined && Buffer.from(random).toString("base64").startsWith(String(displayName));
}

function compareNumbers(
  recorded: number,
  simulated: number,
  path: string,
  key: string,
  parent: Fields,
  context: Context,
): void {
  const kind = key === "entityId" ? (parent.connType === "member" ? "member" : "contact") : IDS[key];
  if (kind === undefined) {
    if (recorded !== simulated) report(path, recorded, simulated, context);
  } else if (kind === "connection") {
    // The core gives the ids of deleted connections anew.
    context.translation.pairAnew(`${context.who} ${kind}`, recorded, simulated);
  } else if (!context.translation.pair(`${context.who} ${kind}`, recorded, simulated)) {
    const other = context.translation.simulated(`${context.who} ${kind}`, recorded);
    report(path, recorded, simulated, context, `${kind} ${recorded} was ${other}`);
  }
}

function compareTexts(
  recorded: string,
  simulated: string,
  path: string,
  key: string,
  context: Context,
): void {
  const { translation } = context;
  const row = key === "rows" && CONNECTION_ROW.test(recorded) && CONNECTION_ROW.test(simulated);
  const kind = row ? "row" : SHARED[key];
  if (TIME.test(recorded) && TIME.test(simulated)) {
    compareTimes(recorded, simulated, path, key, context);
  } else if (kind !== undefined && !isPlaceholder(recorded)) {
    const paired =
      kind === "link"
        ? translation.pairLinks(recorded, simulated)
        : translation.pair(kind, recorded, simulated);
    if (!paired) {
      report(path, recorded, simulated, context, `${kind} was ${translation.simulated(kind, recorded)}`);
    }
  } else if (key === "errContext") {
    if (recorded.replace(QUOTED_ID, "") !== simulated.replace(QUOTED_ID, ""))
      report(path, recorded, simulated, context);
  } else if (translation.text(recorded) !== simulated) {
    report(path, recorded, simulated, context);
  }
}

/** Times differ, but not 1970 (banners), nor that a received item has whole seconds. */
function compareTimes(
  recorded: string,
  simulated: string,
  path: string,
  key: string,
  context: Context,
): void {
  const fixed = recorded.startsWith("1970") || simulated.startsWith("1970");
  const whole = key === "itemTs" && !recorded.includes(".");
  if (fixed ? recorded !== simulated : whole && simulated.includes(".")) {
    report(path, recorded, simulated, context);
  }
  context.translation.noteTime(recorded, simulated);
}

/** The member id of a prepared group is made of the group's name. */
function isPlaceholder(text: string): boolean {
  return Buffer.from(text, "base64").toString("latin1").endsWith("_unknown_id");
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function report(path: string, recorded: unknown, simulated: unknown, context: Context, note?: string): void {
  const shown = (value: unknown) => (value === MISSING ? undefined : value);
  const mismatch: Mismatch = { path, recorded: shown(recorded), simulated: shown(simulated) };
  if (recorded === MISSING) mismatch.note = "key is not in the recording";
  else if (simulated === MISSING) mismatch.note = "key is missing";
  else if (note !== undefined) mismatch.note = note;
  context.mismatches.push(mismatch);
}
