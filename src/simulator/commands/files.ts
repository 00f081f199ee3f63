import { receiveFile } from "../files/downloads.js";
import { cancelFile } from "../messages/file-cancel.js";
import { type Command, command, int, isOn, ONOFF } from "./grammar.js";

/** Files of messages. */
export const FILE_COMMANDS: readonly Command[] = [
  command(
    `/freceive (?<file>\\d+)(?: approved_relays=(?<approved>${ONOFF}))?(?: encrypt=(?<encrypt>${ONOFF}))?(?: inline=${ONOFF})?(?: (?<path>.+))?`,
    ({ file, approved, encrypt, path }) => {
      const options = { approvedRelays: isOn(approved), encrypt: isOn(encrypt), path };
      return (user) => receiveFile(user, int(file), options);
    },
  ),
  command(
    "/fcancel (?<file>\\d+)",
    ({ file }) =>
      (user) =>
        cancelFile(user, int(file)),
  ),
];
