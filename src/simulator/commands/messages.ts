import { addNotes } from "../chats/notes.js";
import { type Composed, parseComposed, parseUpdate, textMessage } from "../data/composed.js";
import { unparsable } from "../data/errors.js";
import { type DeleteMode, deleteItems, moderateItems } from "../messages/deletions.js";
import { updateItem } from "../messages/edits.js";
import { forwardItems, forwardPlan } from "../messages/forwards.js";
import { parseReaction, react, reactionMembers } from "../messages/reactions.js";
import { sendMessages } from "../messages/sending.js";
import { findChat, parseRef, REF } from "../user/refs.js";
import { type Args, type Command, command, IDS, int, ints, isOn, ONOFF, text, USER } from "./grammar.js";

const TTL = "(?: ttl=(?<ttl>\\d+|default))?";

const seconds = (ttl: string | undefined): number | undefined =>
  ttl === undefined || ttl === "default" ? undefined : Number(ttl);

function composedOf({ json, message }: Args): Composed[] {
  return message === undefined ? parseComposed(text(json)) : [textMessage(message)];
}

/** Sending and changing messages. */
export const MESSAGE_COMMANDS: readonly Command[] = [
  command(
    `/_send (?<ref>${REF})(?:\\(as_group=${ONOFF}\\))?(?: live=(?<live>${ONOFF}))?${TTL}(?: json (?<json>.+)| text(?: (?<message>.*))?)`,
    (args) => {
      const ref = parseRef(text(args.ref));
      if (ref.kind === "*") throw unparsable();
      const composed =
        args.json === undefined ? composedOf({ message: text(args.message) }) : composedOf(args);
      return (user) =>
        sendMessages(user, findChat(user, ref), composed, { live: isOn(args.live), ttl: seconds(args.ttl) });
    },
  ),
  command("/_create \\*(?<folder>\\d+) json (?<json>.+)", ({ folder, json }) => {
    const composed = parseComposed(text(json));
    return (user) => addNotes(user, findChat(user, { kind: "*", id: int(folder) }), composed);
  }),
  command(
    `/_update item (?<ref>${REF}) (?<item>\\d+)(?: live=(?<live>${ONOFF}))?(?: json (?<json>.+)| text (?<message>.*))`,
    ({ ref, item, live, json, message }) => {
      const chat = parseRef(text(ref));
      const composed = message === undefined ? parseUpdate(text(json)) : textMessage(message);
      return (user) => updateItem(user, findChat(user, chat), int(item), isOn(live), composed);
    },
  ),
  command(
    `/_delete item (?<ref>${REF}) ${IDS} (?<mode>broadcast|internal|internalMark|history)`,
    ({ ref, ids, mode }) =>
      (user) =>
        deleteItems(user, findChat(user, parseRef(text(ref))), ints(ids), mode as DeleteMode),
  ),
  command(
    `/_delete member item #(?<group>\\d+) ${IDS}`,
    ({ group, ids }) =>
      (user) =>
        moderateItems(user, int(group), ints(ids)),
  ),
  command(
    `/_reaction (?<ref>${REF}) (?<item>\\d+) (?<on>on|off) (?<json>\\{.+)`,
    ({ ref, item, on, json }) => {
      const reaction = parseReaction(text(json));
      return (user) => react(user, findChat(user, parseRef(text(ref))), int(item), isOn(on), reaction);
    },
  ),
  command(
    `/_reaction members ${USER} #(?<group>\\d+) (?<item>\\d+) (?<json>\\{.+)`,
    ({ group, item, json }) => {
      const reaction = parseReaction(text(json));
      return (user) =>
        reactionMembers(user, findChat(user, { kind: "#", id: int(group) }), int(item), reaction);
    },
  ),
  command(
    `/_forward plan (?<ref>${REF}) ${IDS}`,
    ({ ref, ids }) =>
      (user) =>
        forwardPlan(user, findChat(user, parseRef(text(ref))), ints(ids)),
  ),
  command(
    `/_forward (?<to>${REF})(?: as_group=${ONOFF})? (?<from>${REF}) ${IDS}${TTL}`,
    ({ to, from, ids, ttl }) =>
      (user) =>
        forwardItems(
          user,
          findChat(user, parseRef(text(to))),
          findChat(user, parseRef(text(from))),
          ints(ids),
          seconds(ttl),
        ),
  ),
];
