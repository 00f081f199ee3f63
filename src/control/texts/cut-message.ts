import type { IncomingFields } from "../../actions/action.js";
import { type BytesTooLong, cardOverflow } from "./cards.js";

/**
 * The fields with as much of a stranger's message as the card holds in its longest state; what is left out is counted
 * in `notShown`. A request cannot be refused for its length as the agent's actions are: nobody would be asked.
 */
export function cutToCard(fields: IncomingFields, bytesTooLong: BytesTooLong): IncomingFields {
  if (fields.tool !== "request" || fields.message === undefined) return fields;
  const characters = [...fields.message];
  const cutAt = (length: number): IncomingFields => ({
    ...fields,
    message: characters.slice(0, length).join(""),
    ...(length < characters.length ? { notShown: characters.length - length } : {}),
  });
  const fits = (length: number) => cardOverflow(cutAt(length), bytesTooLong) === 0;
  if (fits(characters.length)) return fields;
  let fitting = 0;
  let tooLong = characters.length;
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (fits(middle)) fitting = middle;
    else tooLong = middle;
  }
  return cutAt(fitting);
}
