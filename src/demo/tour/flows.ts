/** The script of the tour: what the agent calls and what its owner answers, flow by flow. */
import { z } from "zod";
import { Message } from "../../messages/message.js";
import { parseMarkdown } from "../../simulator/text/markdown.js";
import type { MessageBubble } from "../screen/bubble.js";
import { VISITOR } from "../world/scripts.js";
import { DemoError } from "../world/world.js";
import type { CallResult } from "./agent.js";
import type { RunningCall, Stage } from "./stage.js";

export interface Flow {
  readonly title: string;
  readonly act: (stage: Stage, story: Story) => Promise<void>;
}

/** What later flows need to know of earlier ones. */
export interface Story {
  directory?: string;
  link?: string;
  group?: string;
  post?: Message;
}

export const FLOWS: readonly Flow[] = [
  {
    title: "connect: the agent asks, Alice approves, and the directory bot says welcome.",
    act: async (stage, story) => {
      const call = stage.call("connect", { target: "@directory.simplex", wait: 10, idle: 1 });
      story.directory = (await approved(stage, call, "I connected")).chat;
    },
  },
  {
    title: "send: Alice rejects the first message with a reason, and approves the second.",
    act: async (stage, story) => {
      const chat = known(story.directory);
      const first = stage.call("send", { chat, text: "skiing", wait: 10, idle: 1 });
      const card = await cardOf(stage, first);
      await stage.type(`${offered(card, /^reject/)} Look for hiking.`);
      expectStatus(await first.result, "rejected");
      await stage.message("I wanted to");
      const second = stage.call("send", { chat, text: "hiking", wait: 10, idle: 1 });
      const { responses = [] } = await approved(stage, second, "I sent");
      story.link = /https:\S+|simplex:\S+/.exec(responses[0]?.text ?? "")?.[0];
    },
  },
  {
    title: "connect: the agent joins the group that it found.",
    act: async (stage, story) => {
      const call = stage.call("connect", { target: known(story.link), wait: 10, idle: 2 });
      story.group = (await approved(stage, call, "I connected")).chat;
    },
  },
  {
    title: "receive: it needs no approval; the call waits until somebody writes.",
    act: async (stage, story) => {
      const call = stage.call("receive", { chat: known(story.group), wait: 10 });
      await call.waiting;
      await stage.chatter();
      story.post = known(Answer.parse((await call.result).result).messages)[0];
    },
  },
  {
    title: "send: Alice allows all messages to the group, and later ends that.",
    act: async (stage, story) => {
      const chat = known(story.group);
      const post = known(story.post);
      const first = stage.call("send", { chat, text: "Which route is dry on Saturday?", wait: 10, idle: 1 });
      await stage.type(offered(await cardOf(stage, first), /^approve \S+ all$/));
      expectStatus(await first.result, "done");
      await stage.message("I sent");
      const text = "Is it open on Sunday?";
      const mention = post.from.member === undefined ? [] : [post.from.member];
      const second = stage.call("send", { chat, text, reply_to: post.item, mention, wait: 10, idle: 1 });
      const shown = await stage.message("I sent");
      expectStatus(await second.result, "done");
      await stage.type(offered(shown, /^revoke/));
      await stage.message("Messages to");
    },
  },
  {
    title: "receive: Alice gives the agent an address; somebody asks to connect, and Alice lets them in.",
    act: async (stage) => {
      await stage.type("/address");
      await stage.message("My address: ");
      const card = await stage.message(`contact ${VISITOR.name} asks to connect to me`);
      await stage.type(offered(card, /^approve \d+$/));
      const { text } = await stage.message(`contact ${VISITOR.name} is connected to me`);
      const chat = known(/@\d+/.exec(text)?.[0]);
      const { messages = [] } = Answer.parse((await stage.call("receive", { chat, wait: 10 }).result).result);
      if (messages[0]?.text !== VISITOR.asks) throw new DemoError("The visitor's message did not arrive.");
    },
  },
  {
    title: "ask: the agent puts a question to Alice herself, and she taps an answer.",
    act: async (stage) => {
      const call = stage.call("ask", { question: "Shall I greet the group?", choices: ["Yes", "Not yet"] });
      const card = await cardOf(stage, call, "I ask");
      await stage.type(offered(card, /^answer \d+ 1$/));
      expectStatus(await call.result, "answered");
      await stage.message("I asked");
    },
  },
  {
    title: "send: Alice changes the words before they go out.",
    act: async (stage, story) => {
      const call = stage.call("send", { chat: known(story.group), text: "helo all", wait: 10, idle: 1 });
      await stage.type(`${offered(await cardOf(stage, call), /^edit/)} Hello all!`);
      expectStatus(await call.result, "done");
      await stage.message("I sent");
    },
  },
  {
    title: "send: Alice pauses the agent; nothing goes out until she resumes it.",
    act: async (stage, story) => {
      await stage.type("/pause");
      const paused = await stage.message("Paused");
      const { isError } = await stage.call("send", { chat: known(story.directory), text: "tea" }).result;
      if (!isError) throw new DemoError("A paused agent sent a message.");
      await stage.type(offered(paused, /^resume/));
      await stage.message("Resumed");
    },
  },
  {
    title: "leave: the agent leaves the group when Alice approves.",
    act: async (stage, story) => {
      const call = stage.call("leave", { chat: known(story.group) });
      await approved(stage, call, "I left");
    },
  },
];

/** What the tour reads of results; each tool has its own. */
const Answer = z.object({
  status: z.string().optional(),
  chat: z.string().optional(),
  messages: z.array(Message).optional(),
  responses: z.array(Message).optional(),
});
type Answer = z.infer<typeof Answer>;

/** The card of a call that waits for its owner; a call that ends without one fails. */
async function cardOf(stage: Stage, { result }: RunningCall, begins = "I want to"): Promise<MessageBubble> {
  const withoutCard = result.then((answer): never => {
    throw new DemoError(`A call ended without asking: ${JSON.stringify(answer.result)}`);
  });
  return await Promise.race([stage.message(begins), withoutCard]);
}

/** Alice approves; resolves when the action is done and her card says so. */
async function approved(stage: Stage, call: RunningCall, done: string): Promise<Answer> {
  await stage.type(offered(await cardOf(stage, call), /^approve (\S+ )?\d+$/));
  const answer = expectStatus(await call.result, "done");
  await stage.message(done);
  return answer;
}

function expectStatus({ result }: CallResult, status: string): Answer {
  const answer = Answer.parse(result);
  if (answer.status === status) return answer;
  throw new DemoError(`A call was expected to end as ${status}: ${JSON.stringify(result)}`);
}

/** The command of a card that begins so, as tapping it sends it. */
function offered({ text }: MessageBubble, fits: RegExp): string {
  const commands = (parseMarkdown(text) ?? []).flatMap(({ format }) =>
    format?.type === "command" ? [format.commandStr] : [],
  );
  const command = commands.find((one) => fits.test(one));
  if (command === undefined) throw new DemoError(`The card offers nothing like ${fits}: ${text}`);
  return `/${command}`;
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new DemoError("An earlier flow gave nothing to go on with.");
  return value;
}
