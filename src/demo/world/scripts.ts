/** What the people of the demo say. Pure: a message in, an answer out. */

export const WELCOME = {
  directory: "Welcome to the directory. Send a word, such as hiking, and I answer with groups.",
  echo: "I repeat what you send.",
  business: "Ridgeline Outfitters here. Ask about boots, tents or our opening hours.",
} as const;

/** A group of the directory. */
export interface ListedGroup {
  readonly name: string;
  readonly about: string;
  readonly words: readonly string[];
  readonly link: string;
}

export function directoryAnswer(text: string, groups: readonly ListedGroup[]): string {
  const words: string[] = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = groups.filter(
    (group) => words.includes("all") || group.words.some((word) => words.includes(word)),
  );
  if (found.length === 0) return "No group found. Try hiking or tea, or all for every group.";
  const entries = found.map(({ name, about, link }) => `${name}: ${about}\n${link}`);
  return [`Found ${found.length} group${found.length === 1 ? "" : "s"}.`, ...entries].join("\n");
}

export function echoAnswer(text: string): string {
  return `echo: ${text}`;
}

/** Mara's, who reads the messages of the business. */
export function businessAnswer(text: string): string {
  return firstMatch(BUSINESS, text) ?? "Mara here. Thank you, I will ask in the workshop and write back.";
}

/** Who answers in the hiking group, and what. A member who is mentioned answers. */
export function groupAnswer(text: string): { by: "Switchback" | "Fern"; text: string } {
  const isForFern = /@'?fern\b/i.test(text) || (!/@'?switchback\b/i.test(text) && /tea|hut|food/i.test(text));
  if (isForFern) {
    return {
      by: "Fern",
      text: firstMatch(FERN, text) ?? "I don't know, but I am in for any walk with a hut.",
    };
  }
  return {
    by: "Switchback",
    text: firstMatch(SWITCHBACK, text) ?? "Good question. Has anybody been up there this week?",
  };
}

/** Somebody who got to know the agent's address asks to connect. */
export const VISITOR = {
  name: "Rowan",
  asks: "Hello! Alice says that you know the walks around here. May I ask you about them?",
} as const;

/** What the visitor answers once they are connected. */
export function visitorAnswer(text: string): string {
  return /\?/.test(text)
    ? "I am free on Saturday, and a hut on the way would be nice."
    : "Thank you, that helps.";
}

/** What the hiking group talks about by itself, in turn. */
export const CHATTER: readonly { by: "Hazel" | "Switchback" | "Fern"; text: string }[] = [
  { by: "Fern", text: "The hut on the east side is open again, they have plum cake." },
  { by: "Switchback", text: "Snow line is at about 1400 m this morning." },
  { by: "Hazel", text: "Who comes along on Saturday? Meeting at the station at 8." },
  { by: "Fern", text: "I do! I bring tea." },
  { by: "Switchback", text: "Me too. The bridge at the mill is closed, we take the upper path." },
  { by: "Hazel", text: "Then it is three of us. Bring a lamp, it gets dark early." },
];

/** The file that a member of the hiking group has posted. */
export const ROUTE = {
  by: "Switchback",
  text: "The ridge loop, for your phone.",
  name: "ridge-loop.gpx",
  content: `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Switchback" xmlns="http://www.topografix.com/GPX/1/1">
  <trk>
    <name>Ridge loop</name>
    <trkseg>
      <trkpt lat="46.5432" lon="8.1234"><ele>1210</ele></trkpt>
      <trkpt lat="46.5510" lon="8.1302"><ele>1640</ele></trkpt>
      <trkpt lat="46.5477" lon="8.1411"><ele>1810</ele></trkpt>
      <trkpt lat="46.5432" lon="8.1234"><ele>1210</ele></trkpt>
    </trkseg>
  </trk>
</gpx>
`,
} as const;

type Topics = readonly (readonly [RegExp, string])[];

const BUSINESS: Topics = [
  [/tent/i, "Mara here. Yes, tents from 12 a night, and we have two left for the weekend."],
  [/boot|shoe/i, "Mara here. Boots from 35 to 48, come in and try them on."],
  [/hour|open|when/i, "Mara here. We are open Tuesday to Saturday, 9 to 18."],
];

const SWITCHBACK: Topics = [
  [/weather|rain|snow|sun/i, "Dry until Saturday evening, then rain from the west."],
  [/trail|route|path|walk|hike|tour/i, "Take the ridge loop: 11 km, 600 m up, and the path is dry."],
  [/gear|boot|tent|pack/i, "Light boots will do, and take a wind jacket for the ridge."],
  [/hello|hi\b|hey/i, "Hello and welcome!"],
];

const FERN: Topics = [
  [/hut|food|cake|open/i, "The hut is open from Thursday to Sunday, and the soup is good."],
  [/tea/i, "Mint, always."],
];

function firstMatch(topics: Topics, text: string): string | undefined {
  return topics.find(([topic]) => topic.test(text))?.[1];
}
