import { describe, expect, it } from "vitest";
import type { CoreJson } from "../../../src/core/api/chat-api.js";
import { Core } from "../../../src/core/core.js";
import { CoreError, isDatabaseBusy, isFatal, isTooLong } from "../../../src/core/errors/errors.js";
import type { Clock } from "../../../src/time/clock.js";
import { readTranscript } from "../../contract/transcript.js";
import { chatError, commandError, FakeChatApi, storeError } from "./fake-chat-api.js";

/** Does not wait, and takes note of for how long it would have. */
class InstantClock implements Clock {
  readonly pauses: number[] = [];
  now = () => 0;
  elapsed = () => 0;
  after(ms: number, fn: () => void): () => void {
    this.pauses.push(ms);
    fn();
    return () => {};
  }
}

function recorded(transcript: string, command: string): CoreJson {
  const line = readTranscript(transcript).lines.find(({ cmd, resp }) => resp && cmd?.startsWith(command));
  if (!line?.resp) throw new Error(`No ${command} in ${transcript}`);
  return line.resp;
}

const USER = {
  type: "activeUser",
  user: { userId: 1, localDisplayName: "A", profile: { displayName: "A" } },
};
const noActiveUser = () => chatError({ type: "error", errorType: { type: "noActiveUser" } });
const busy = () => storeError("dBBusyError", { message: "SQLite3 returned ErrorBusy" });

describe("the core", () => {
  it("tells that a new database has no user", async () => {
    const api = new FakeChatApi(noActiveUser(), USER);
    const core = new Core(api);
    expect(await core.activeUser()).toBe(undefined);
    expect(await core.activeUser()).toMatchObject({ userId: 1, profile: { displayName: "A", fullName: "" } });
    expect(api.commands).toEqual(["/user", "/user"]);
  });

  it("makes its user an agent, and a bot where the core does not know agents", async () => {
    const api = new FakeChatApi(commandError("Failed reading: empty"), USER);
    expect(await new Core(api).createAgentUser("Ann")).toMatchObject({ userId: 1 });
    const profile = (peerType: string) => ({ displayName: "Ann", fullName: "", peerType });
    expect(api.commands).toEqual(
      ["agent", "bot"].map(
        (type) => `/_create user ${JSON.stringify({ profile: profile(type), pastTimestamp: false })}`,
      ),
    );
  });

  it("does not try a name again that the core refuses", async () => {
    const refusal = { type: "invalidDisplayName", displayName: "a  b", validName: "a b" };
    const api = new FakeChatApi(chatError({ type: "error", errorType: refusal }));
    await expect(new Core(api).createAgentUser("a  b")).rejects.toThrow("SimpleX core: invalid display name");
    expect(api.commands.length).toBe(1);
  });

  it("reads again while the database is busy, with growing pauses", async () => {
    const api = new FakeChatApi(busy(), busy(), { type: "groupsList", groups: [] });
    const clock = new InstantClock();
    expect(await new Core(api, clock).listGroups(1)).toEqual([]);
    expect(api.commands).toEqual(["/_groups 1", "/_groups 1", "/_groups 1"]);
    expect(clock.pauses).toEqual([100, 300]);
  });

  it("gives up a read when the database stays busy", async () => {
    const api = new FakeChatApi(busy(), busy(), busy(), busy(), busy());
    await expect(new Core(api, new InstantClock()).listGroups(1)).rejects.toSatisfy(isDatabaseBusy);
    expect(api.commands.length).toBe(4);
  });

  it("never does an act again, however it failed", async () => {
    for (const failure of [busy(), new Error("lost")]) {
      const api = new FakeChatApi(failure, recorded("09", "/_send"));
      const core = new Core(api, new InstantClock());
      await expect(core.sendMessages("#3", [{ msgContent: { type: "text", text: "x" } }])).rejects.toThrow(
        CoreError,
      );
      expect(api.commands.length).toBe(1);
    }
  });

  it("refuses an answer of another type or of another shape, and names the command without its arguments", async () => {
    const marked = { groupId: "1", customData: { simplexMcp: {} } };
    const api = new FakeChatApi({ type: "cmdOk" }, { type: "groupsList", groups: [marked] });
    const core = new Core(api);
    await expect(core.listGroups(77)).rejects.toMatchObject({
      command: "/_groups",
      message: "SimpleX core: unexpected answer cmdOk to /_groups",
    });
    await expect(core.listGroups(77)).rejects.toMatchObject({
      command: "/_groups",
      message: "SimpleX core: /_groups could not be read at groups.0.groupId",
    });
  });

  it("passes over a group that cannot be read, where nothing is kept with it", async () => {
    const core = new Core(new FakeChatApi({ type: "groupsList", groups: [{ groupId: "1" }, 5] }));
    expect(await core.listGroups(1)).toEqual([]);
  });

  it("tells once of a chat that cannot be read", async () => {
    const chats = [
      { chatInfo: { type: "group", groupInfo: { groupId: 15 } }, chatStats: { unreadCount: 2 } },
    ];
    const logged: string[] = [];
    const answer = { type: "apiChats", chats };
    const core = new Core(new FakeChatApi(answer, answer), undefined, (line) => logged.push(line));
    for (let times = 0; times < 2; times++) expect(await core.getChats(1)).toHaveLength(1);
    expect(logged).toEqual([
      "The chat #15 cannot be read, and is passed over. Update the server if this stays.",
    ]);
  });

  it("says that the library failed when the error is none of the core's", async () => {
    const core = new Core(new FakeChatApi(new Error("chat api controller not initialized")));
    await expect(core.version()).rejects.toSatisfy(isFatal);
  });

  it("gives the items it sent, from the first to the last", async () => {
    const core = new Core(new FakeChatApi(recorded("09", "/_send #3 json")));
    const [sent] = await core.sendMessages("#3", [{ msgContent: { type: "text", text: "x" } }]);
    expect(sent?.chatItem.content).toMatchObject({ type: "sndMsgContent", msgContent: { type: "text" } });
    expect(sent?.chatItem.meta.itemId).toBeGreaterThan(0);
  });

  it("takes an edit that changed nothing for done", async () => {
    const core = new Core(
      new FakeChatApi({ ...recorded("09", "/_update item"), type: "chatItemNotChanged" }),
    );
    const item = await core.updateItem("#3", 1, { msgContent: { type: "text", text: "x" } });
    expect(item.chatItem.meta.itemId).toBeGreaterThan(0);
  });

  it("knows the edit of a group message that is too long by its odd error", async () => {
    const odd = { type: "internalError", message: "sendGroupMessage: expected 1 message" };
    const core = new Core(new FakeChatApi(chatError({ type: "error", errorType: odd })));
    const edit = core.updateItem("#3", 1, { msgContent: { type: "text", text: "x" } });
    await expect(edit).rejects.toSatisfy(isTooLong);
  });

  it("keeps the data of a link as it came, beside what is read of it", async () => {
    const answer = recorded("04", "/_connect plan");
    const { plan, connLink } = await new Core(new FakeChatApi(answer)).connectPlan(1, "https://x/a#k");
    expect(connLink.connFullLink).toMatch(/^simplex:\/contact/);
    if (plan.type !== "contactAddress" || plan.contactAddressPlan.type !== "ok") throw new Error(plan.type);
    const data = plan.contactAddressPlan.contactSLinkData_;
    expect(data?.profile.displayName).toBe("Directory");
    const wire = JSON.parse(JSON.stringify(answer)).connectionPlan.contactAddressPlan.contactSLinkData_;
    expect(JSON.stringify(data?.json)).toBe(JSON.stringify(wire));
  });

  it("counts what no server has yet, and asks nothing for no connection", async () => {
    const api = new FakeChatApi({ type: "sQLResult", rows: ["count(1)", "4"] });
    const core = new Core(api);
    expect(await core.undelivered([])).toBe(0);
    expect(await core.undelivered(["RENDLW9ocmhmSHNWWi0zRw=="])).toBe(4);
    expect(api.commands.length).toBe(1);
  });

  it("marks nothing as read when there is nothing", async () => {
    const api = new FakeChatApi();
    await new Core(api).readItems("#3", []);
    expect(api.commands).toEqual([]);
  });

  it("hands out every event as it comes", () => {
    const api = new FakeChatApi();
    const events: CoreJson[] = [];
    new Core(api).onEvent((event) => events.push(event));
    api.emit({ type: "hostConnected" });
    expect(events).toEqual([{ type: "hostConnected" }]);
  });
});
