import { z } from "zod";
import { isFinal } from "../../actions/action.js";
import type { Arrived } from "../../messages/collected.js";
import { Message, viewItem } from "../../messages/view.js";
import { actionOfCall, actionResult, delivering, earlierAction, undone } from "../call/action-call.js";
import { Handover, waitForReplies } from "../call/replies.js";
import { ActionFieldsOut, chat, idle, item, limit, validText, wait } from "../call/schemas.js";
import { isBlank } from "../call/text.js";
import { type Tool, ToolError } from "../call/tool.js";
import { prepareSend, type SendRequest, SendWork } from "./send-work.js";

const Input = z.strictObject({
  chat,
  text: z.string().optional().describe("The message, as it is to be sent. With a file: what goes with it."),
  file: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("A file on this computer to send along: an absolute path, or one that starts with ~/."),
  as: z.literal("file").optional().describe("Send an image or video as a plain file, unchanged."),
  reply_to: item.optional().describe("The item of the message that this one quotes."),
  mention: z
    .array(z.int().positive())
    .max(3)
    .optional()
    .describe("Member ids from members; names missing from the text are put in front."),
  wait: wait(60, "how long to wait for replies"),
  idle,
  limit,
});

type Input = z.output<typeof Input>;

const Output = z.object({
  ...ActionFieldsOut,
  chat: z.string(),
  item: z.number().optional().describe("The message that was sent."),
  responses: z.array(Message).optional(),
  more: z.number().optional().describe("Messages that came and are not in responses."),
});

export const send: Tool<typeof Input, typeof Output> = {
  name: "send",
  title: "Send",
  description:
    "Sends a message to a chat, with a file if wanted, and waits for replies. Calling again with the same chat, text, file, as, reply_to and mention resumes a lost call.",
  input: Input,
  output: Output,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  outward: true,

  async run(deps, input, call) {
    const request = requestOf(input);
    const { file } = request;
    // A call that comes back gets no reply that the agent has by now; what others return while it waits it gets, too.
    const isKnown = deps.claims.givenByNow();
    const key = JSON.stringify([
      "send",
      request.chat,
      request.text,
      file ? [file.path, file.asFile] : null,
      request.replyTo ?? null,
      request.mention,
    ]);
    const found = await earlierAction(deps, key, request.chat);
    const late = found !== undefined && isFinal(found.state);
    const work = found?.work instanceof SendWork ? found.work : await prepareSend(deps, request);
    const action = await actionOfCall(
      deps,
      {
        key,
        fields: work.fields,
        input: inputOf(input),
        work,
        ...work.preapproval(),
      },
      call,
    );
    if (!action) return undefined;
    const done = action.work;
    if (action.state.state !== "done" || !(done instanceof SendWork) || !done.collected) {
      return undone(deps, action, call, { chat: input.chat });
    }
    const { collected } = done;
    const replies = (all: Arrived[]) => all.filter((one) => !isKnown(one.item.meta.itemId));
    await waitForReplies(deps, collected, call, {
      chat: input.chat,
      base: late ? call.startedAt : done.sentAt,
      wait: input.wait * 1000,
      idle: input.idle * 1000,
      count: () => replies(collected.final).length,
    });
    if (call.signal.aborted) return undefined;
    const returned = replies(collected.final).slice(0, input.limit);
    // Before they are claimed: what cannot be shown is not kept from other calls.
    const responses = returned.map((one) => viewItem(one.item, one.info, deps.viewer));
    const handover = new Handover(deps).add(returned);
    return delivering(deps, action, call, {
      result: {
        ...actionResult(action),
        chat: input.chat,
        ...(done.item === undefined ? {} : { item: done.item }),
        responses,
        more: replies(collected.arrived).length - responses.length + collected.overflow,
      },
      onWritten: () => handover.written(),
      onLost: () => handover.lost(),
    });
  },
};

/** The action fields of the call, in one form. Rejects with what is wrong with them. */
function requestOf({ chat, text = "", file, as, reply_to: replyTo, mention = [] }: Input): SendRequest {
  validText(text, "text");
  if (file !== undefined) validText(file, "file");
  if (file === undefined && isBlank(text)) throw new ToolError("The text is empty. Give a text to send.");
  if (file === undefined && as !== undefined)
    throw new ToolError("as goes with a file. Give its path as file.");
  return {
    chat,
    // Blanks alone show nothing under a file.
    text: isBlank(text) ? "" : text,
    file: file === undefined ? undefined : { path: file, asFile: as === "file" },
    replyTo,
    mention,
  };
}

/** The action fields as the agent gave them, for `list`. */
function inputOf({ wait, idle, limit, ...fields }: Input): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
