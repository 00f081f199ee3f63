/** The core's commands by which a request is let in or turned away. */
import type { Core } from "../core/core.js";
import { isChatNotFound, isLinkGone, isMemberContactGone, isRequestNotFound } from "../core/errors/errors.js";
import type { RequestId } from "./line.js";
import { type Request, readRequest, requestId } from "./request.js";

/** What was asked for cannot be had any more, whatever is tried. */
export class RequestGone extends Error {
  override name = "RequestGone";
}

type Waiting = RequestId & Pick<Request, "contactRequestId">;

const GONE = {
  request: "The person took the request back, so it cannot be accepted any more.",
  member: "The group was left or deleted, so this request cannot be accepted any more.",
  invitation: "The invitation was taken back, or the group was deleted.",
} as const;

/** Lets in what asks as `request` says; rejects, with nothing done, when it asks otherwise now. */
export async function accept(core: Core, request: Request): Promise<void> {
  const now = await readRequest(core, request.chat);
  if (now?.made !== request.made) {
    // What waits and cannot be told whose it is any more is dead: its group is gone, or who invited.
    await turnAway(core, request);
    throw new RequestGone(GONE[request.fields.tool]);
  }
  if (now.mark !== request.mark) {
    throw new Error("It asks otherwise now than on this card. Write /requests to see it as it is.");
  }
  try {
    await sendAcceptance(core, request);
  } catch (error) {
    if (!isGone(error)) throw error;
    await discard(core, request);
    throw new RequestGone(GONE[request.fields.tool], { cause: error });
  }
}

async function sendAcceptance(core: Core, { chat, fields, contactRequestId }: Request): Promise<void> {
  const id = Number(chat.slice(1));
  if (fields.tool === "invitation") await core.joinGroup(id);
  else if (fields.tool === "member") await core.acceptMemberContact(id);
  else if (contactRequestId !== undefined) await core.acceptRequest(contactRequestId);
}

function isGone(error: unknown): boolean {
  return isLinkGone(error) || isRequestNotFound(error) || isMemberContactGone(error) || isChatNotFound(error);
}

/** Turns away what still waits under this number; nobody is told. To reject one that was let in would delete its chat. */
export async function turnAway(core: Core, request: Waiting): Promise<void> {
  if (await waitsStill(core, request)) await discard(core, request);
}

async function waitsStill(core: Core, { chat, made }: Waiting): Promise<boolean> {
  try {
    return requestId((await core.getChat(chat, { count: 0 })).chat)?.made === made;
  } catch (error) {
    if (isChatNotFound(error)) return false;
    throw error;
  }
}

async function discard(core: Core, { chat, contactRequestId }: Waiting): Promise<void> {
  try {
    if (contactRequestId !== undefined) await core.rejectRequest(contactRequestId);
    else await core.deleteChat(chat, { notify: true });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
