import type { CoreJson } from "../../core/api/chat-api.js";
import { unparsable } from "../data/errors.js";
import type { Role } from "../data/rows.js";
import { isRole } from "../json/group-preferences.js";
import type { User } from "../user/user.js";

/** The named parts of a command's text. */
export type Args = Readonly<Record<string, string | undefined>>;

export interface Command {
  /** The text, with named groups; a group `user` is the USER. */
  readonly form: RegExp;
  /** What must be there: by default a user and a started chat. */
  readonly needs: "chat" | "user" | "nothing";
  /** Reads the arguments, throwing what cannot be parsed, and gives what is to run. */
  readonly parse: (args: Args) => (user: User) => CoreJson;
}

type Run = (user: User) => CoreJson;

/** A command that needs a user and a started chat. Blanks in `form` stand for one blank. */
export const command = (form: string, parse: (args: Args) => Run): Command => make(form, "chat", parse);

/** A command that works before the chat is started. */
export const early = (form: string, parse: (args: Args) => Run): Command => make(form, "user", parse);

/** A command that works without a user. */
export const always = (form: string, parse: (args: Args) => Run): Command => make(form, "nothing", parse);

function make(form: string, needs: Command["needs"], parse: Command["parse"]): Command {
  return { form: new RegExp(`^${form}$`, "s"), needs, parse };
}

/** An argument that the form makes sure is there. */
export const text = (arg: string | undefined): string => arg ?? "";

export const int = (arg: string | undefined): number => Number(text(arg));

/** `12,13,14` */
export const ints = (arg: string | undefined): number[] => text(arg).split(",").map(Number);

export const isOn = (arg: string | undefined, otherwise = false): boolean =>
  arg === undefined ? otherwise : arg === "on";

export function role(arg: string | undefined): Role {
  if (!isRole(arg) || arg === "relay" || arg === "author") throw unparsable();
  return arg;
}

export const USER = "(?<user>\\d+)";
export const IDS = "(?<ids>\\d+(?:,\\d+)*)";
export const ONOFF = "(?:on|off)";
