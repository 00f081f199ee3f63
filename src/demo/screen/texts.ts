/** What the demo tells the person at the terminal. */
import { type Line, span } from "./style.js";

const NOTHING_LEAVES: Line = [
  span("Demo: nothing leaves this computer.", "strong"),
  span(" The SimpleX network and its people are simulated."),
];

export const BANNER: readonly Line[] = [
  NOTHING_LEAVES,
  [span("The server is the real one, and this terminal is the phone of Alice, the agent's owner.")],
  [],
];

export const TOUR_BANNER: readonly Line[] = [
  NOTHING_LEAVES,
  [span("The server is the real one; an MCP client and Alice, the agent's owner, act by themselves.")],
  [span("Results are shown without the messages' times.")],
  [],
];

/** How to get a client to the server, and what to ask the agent. */
export function howTo({ url, tokenFile }: { url: string; tokenFile: string }): Line[] {
  return [
    [],
    [
      span("Connect your agent", "strong"),
      span(" as the line above says, or any client over streamable HTTP:"),
    ],
    [span(`  URL: ${url}`)],
    [span(`  Header: Authorization: Bearer TOKEN, where TOKEN is in ${tokenFile}`)],
    [span("Then ask it", "strong"), span(", for example:")],
    [span("  Connect to @directory.simplex and find a group about hiking. Join it and ask for a route.")],
    [span("  Download the route that Switchback has posted in that group.")],
    [span("  Ask @ridgeline.simplex whether they have a tent for the weekend.")],
    [],
    [
      span("You are Alice.", "strong"),
      span(" What you type is her message in the control chat, where the agent asks you:"),
    ],
    [
      span("/approve 1", "command"),
      span(" allows action 1, "),
      span("/help", "command"),
      span(" lists the commands. Ctrl-C ends the demo."),
    ],
    [
      span("/address", "command"),
      span(" gives it an address, by which somebody asks to connect soon after."),
    ],
    [],
    [span("── Agent control chat ──", "dim")],
  ];
}
