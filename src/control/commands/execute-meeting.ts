import { isAuto } from "../../incoming/links.js";
import { meetingTexts } from "../texts/meeting-texts.js";
import type { OwnerCommand } from "./commands.js";
import type { OwnerPowers } from "./powers.js";

type Address = Extract<OwnerCommand, { kind: "address" }>;

/** `/address` and what it can be turned to. `by`: the owner's name. */
export async function address(
  { to }: Address,
  by: string,
  { links, incoming, heldAddress }: OwnerPowers,
): Promise<string> {
  // What an owner says now holds after a pause, too.
  if (to !== undefined) await heldAddress.forget();
  switch (to) {
    case undefined: {
      const { link, settings } = await links.makeAddress();
      return meetingTexts.address(link, isAuto(settings));
    }
    case "auto":
      await links.setAuto(true);
      await incoming.letAllIn(by);
      return meetingTexts.addressIsAuto;
    case "ask": {
      // Before the command: nobody is let in after it.
      incoming.ask();
      const { link } = await links.setAuto(false);
      return meetingTexts.address(link, false);
    }
    case "off": {
      incoming.ask();
      const wasThere = await links.deleteAddress();
      return wasThere ? meetingTexts.addressDeleted : meetingTexts.noAddress;
    }
  }
}

/** `/invite` */
export async function invite({ links }: OwnerPowers): Promise<string> {
  return meetingTexts.oneTimeLink(await links.makeOneTimeLink());
}

/** `/invite off` */
export async function inviteOff({ links }: OwnerPowers): Promise<string> {
  return meetingTexts.linksDeleted(await links.deleteUnusedLinks());
}

/** `/requests`: the cards are the answer, where some are posted. */
export async function requests({ incoming }: OwnerPowers): Promise<string | undefined> {
  const { waiting, posted, inLine } = await incoming.askAll();
  if (waiting === 0) return meetingTexts.noRequests;
  if (inLine > 0) return meetingTexts.waiting(inLine, { more: true });
  return posted === 0 ? meetingTexts.allAsked : undefined;
}
