import type { CoreJson } from "../../src/core/api/chat-api.js";
import type { RecordedApi } from "./recorded-api.js";

/**
 * Lets people have names that no app of theirs allows, as those have whose app is a changed one: the core of `api`
 * tells every name of `names` as its value. To be called before the api is used.
 */
export function renamed(api: RecordedApi, names: ReadonlyMap<string, string>): void {
  const sendChatCmd = api.sendChatCmd.bind(api);
  const onAny = api.onAny.bind(api);
  const told = new Map([...names].map(([name, other]) => [JSON.stringify(name), JSON.stringify(other)]));
  const known = new Map([...told].map(([name, other]) => [other, name]));
  // What the core told comes back in the data of links.
  api.sendChatCmd = async (command) => replaced(await sendChatCmd(replacedText(command, known)), told);
  api.onAny = (handler) => onAny((event) => handler(replaced(event, told)));
}

function replaced(json: CoreJson, names: ReadonlyMap<string, string>): CoreJson {
  const changed: CoreJson = JSON.parse(replacedText(JSON.stringify(json), names));
  return changed;
}

/** Only whole names. */
function replacedText(json: string, names: ReadonlyMap<string, string>): string {
  return json.replace(/("(?:displayName|localDisplayName)":)("(?:[^"\\]|\\.)*")/g, (whole, key, value) => {
    const other = names.get(value);
    return other === undefined ? whole : `${key}${other}`;
  });
}
