import { describe, expect, it } from "vitest";
import { ConnectionPlan } from "../../../src/core/types.js";
import { classifyPlan } from "../../../src/tools/connect/plan.js";
import { contactInfo, groupInfo } from "../messages/make.js";

const FULL = "simplex:/contact#/?v=2-7&smp=x";
const SHORT = "https://smp.example/a#key";
const LINK = { connFullLink: FULL, connShortLink: SHORT };
const BOT = { profile: { displayName: "Directory", fullName: "", peerType: "bot" }, business: false };
const SHOP = { profile: { displayName: "Ridgeline", fullName: "" }, business: true };
const ROOM = { groupProfile: { displayName: "News", fullName: "" }, more: 1 };

/** What is done about a target whose plan the core gives as this JSON. */
function classify(plan: object, { target = SHORT, message }: { target?: string; message?: string } = {}) {
  return classifyPlan(target, { connLink: LINK, plan: ConnectionPlan.parse(plan) }, message);
}

const invitation = (invitationLinkPlan: object) => ({ type: "invitationLink", invitationLinkPlan });
const address = (contactAddressPlan: object) => ({ type: "contactAddress", contactAddressPlan });
const group = (groupLinkPlan: object) => ({ type: "groupLink", groupLinkPlan });

function contact(fields: object) {
  const info = contactInfo(4, { profile: { displayName: "Directory", peerType: "bot" }, ...fields });
  return info.type === "direct" ? info.contact : undefined;
}

function room(fields: object) {
  const info = groupInfo(15, fields);
  return info.type === "group" ? info.groupInfo : undefined;
}

const unstarted = (fields: object = {}) =>
  room({
    preparedGroup: {
      connLinkToConnect: LINK,
      connLinkPreparedConnection: false,
      connLinkStartedConnection: false,
      ...fields,
    },
    membership: { ...membership(), memberStatus: "unknown" },
  });

function membership(): object {
  return room({})?.membership ?? {};
}

describe("a new address", () => {
  const ok = address({ type: "ok", contactSLinkData_: BOT });

  it("alone is connected to by its link", () => {
    expect(classify(ok)).toEqual({
      way: { way: "link", link: LINK },
      kind: "bot",
      name: "Directory",
      link: SHORT,
    });
  });

  it("with a message is prepared, since only a prepared contact takes one", () => {
    expect(classify(ok, { message: "hello" })).toMatchObject({
      way: { way: "prepare contact", link: LINK, data: BOT, business: false },
    });
  });

  it("found by a name is prepared with it, so that the contact keeps it", () => {
    expect(classify(ok, { target: "@directory.simplex" })).toMatchObject({
      way: { way: "prepare contact", domain: "directory.simplex" },
      link: SHORT,
    });
  });

  it("of a business is one of a group chat", () => {
    const plan = classify(address({ type: "ok", contactSLinkData_: SHOP }), {
      message: "Do you rent tents?",
    });
    expect(plan).toMatchObject({
      way: { way: "prepare contact", business: true },
      kind: "business",
      name: "Ridgeline",
    });
  });

  it("that tells nothing takes no message, and its card names nobody", () => {
    expect(classify(address({ type: "ok" }))).toEqual({
      way: { way: "link", link: LINK },
      kind: "contact",
      name: "",
      link: SHORT,
    });
    expect(classify(address({ type: "ok" }), { message: "hello" })).toEqual({
      refusal: "This link takes no message with the request: connect without message, then send one.",
    });
  });
});

describe("an address of somebody known", () => {
  it.each(["known", "connectingProhibit"])("that is %s asks nobody", (type) => {
    const plan = address({ type, contact: contact({ preparedContact: { connLinkToConnect: LINK } }) });
    expect(classify(plan)).toEqual({
      way: { way: "known", chat: "@4" },
      kind: "bot",
      name: "Directory",
      link: SHORT,
    });
  });

  it("that was only prepared is connected to", () => {
    const prepared = contact({ activeConn: undefined, preparedContact: { connLinkToConnect: LINK } });
    expect(classify(address({ type: "known", contact: prepared }), { message: "hello" })).toMatchObject({
      way: { way: "prepared", chat: "@4" },
    });
  });

  it("whose card we got is connected to by it, without a message", () => {
    const card = address({ type: "contactViaAddress", contact: contact({ activeConn: undefined }) });
    expect(classify(card)).toMatchObject({
      way: { way: "contact address", contactId: 4 },
      name: "Directory",
    });
    expect(classify(card, { message: "hello" })).toMatchObject({
      refusal: expect.stringContaining("no message"),
    });
  });
});

describe("a one-time link", () => {
  it("that is new is connected to by itself, or prepared for a message", () => {
    const ok = invitation({ type: "ok", contactSLinkData_: BOT });
    expect(classify(ok)).toMatchObject({ way: { way: "link" } });
    expect(classify(ok, { message: "hello" })).toMatchObject({ way: { way: "prepare contact" } });
  });

  it("that is being used is known where there is a contact, and waits where there is none yet", () => {
    expect(classify(invitation({ type: "connecting", contact_: contact({}) }))).toMatchObject({
      way: { way: "known", chat: "@4" },
    });
    expect(classify(invitation({ type: "connecting" }))).toMatchObject({
      refusal: expect.stringContaining("connecting by this link already"),
    });
  });
});

describe("a group", () => {
  it("is joined by its link, and takes no message", () => {
    const ok = group({ type: "ok", groupSLinkInfo_: { direct: true }, groupSLinkData_: ROOM });
    expect(classify(ok)).toEqual({
      way: { way: "link", link: LINK },
      kind: "group",
      name: "News",
      link: SHORT,
    });
    expect(classify(ok, { message: "hello" })).toEqual({
      refusal: "A group takes no message with the request: connect without message.",
    });
  });

  it("that is a channel is prepared with all of its data as it came", () => {
    const ok = group({ type: "ok", groupSLinkInfo_: { direct: false }, groupSLinkData_: ROOM });
    expect(classify(ok)).toEqual({
      way: { way: "prepare channel", link: LINK, data: ROOM },
      kind: "channel",
      name: "News",
      link: SHORT,
    });
    expect(classify(ok, { target: "#news.simplex" })).toMatchObject({ way: { domain: "news.simplex" } });
    expect(classify(group({ type: "ok", groupSLinkInfo_: { direct: false } }))).toMatchObject({
      refusal: expect.stringContaining("tells nothing"),
    });
  });

  it.each(["known", "ownLink"])("that is %s asks nobody", (type) => {
    expect(classify(group({ type, groupInfo: room({}) }))).toMatchObject({
      way: { way: "known", chat: "#15" },
    });
  });

  it("that was only prepared is joined, unless that was started", () => {
    expect(classify(group({ type: "known", groupInfo: unstarted() }))).toMatchObject({
      way: { way: "prepared", chat: "#15" },
    });
    const started = unstarted({ connLinkStartedConnection: true });
    expect(classify(group({ type: "known", groupInfo: started }))).toMatchObject({ way: { way: "known" } });
  });

  it("that was only prepared takes no message either, but a business does", () => {
    const known = (groupInfo: object | undefined) =>
      classify(group({ type: "known", groupInfo }), { message: "hello" });
    expect(known(unstarted())).toMatchObject({
      refusal: expect.stringContaining("A group takes no message"),
    });
    const business = { chatType: "business", businessId: "YQ==", customerId: "Yg==" };
    expect(known({ ...unstarted(), businessChat: business })).toMatchObject({ way: { way: "prepared" } });
  });

  it("that is being joined is known where there is a group, and waits where there is none yet", () => {
    expect(classify(group({ type: "connectingProhibit", groupInfo_: room({}) }))).toMatchObject({
      way: { way: "known" },
    });
    expect(classify(group({ type: "connectingProhibit" }))).toHaveProperty("refusal");
  });
});

describe("a target that nothing can be done about says why", () => {
  it.each([
    [address({ type: "ownLink" }), "own address"],
    [invitation({ type: "ownLink" }), "own link"],
    [address({ type: "connectingConfirmReconnect" }), "waits for an answer"],
    [group({ type: "connectingConfirmReconnect" }), "waits for an answer"],
    [group({ type: "noRelays" }), "Try again later"],
    [group({ type: "updateRequired" }), "newer SimpleX version"],
    [group({ type: "somethingNew" }), "Update it"],
    [{ type: "somethingNew" }, "Update it"],
  ])("%j", (plan, words) => {
    expect(classify(plan)).toEqual({ refusal: expect.stringContaining(words) });
  });

  it("with the core's own error in words", () => {
    const chatError = { type: "error", errorType: { type: "invalidConnReq" } };
    const plan = classify({ type: "error", chatError });
    expect(plan).toEqual({ refusal: expect.stringMatching(/\w/) });
  });
});
