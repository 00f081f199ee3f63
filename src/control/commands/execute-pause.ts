import { explain } from "../../core/errors/explain.js";
import { pauseTexts } from "../texts/replies.js";
import type { OwnerPowers } from "./powers.js";

/** `/pause`: closed at once; told when that is persisted. */
export async function pause(
  by: string,
  { pause: state, heldAddress, actions, clock }: OwnerPowers,
): Promise<string> {
  const started = state.start({ by, at: new Date(clock.now()).toISOString() });
  actions.rejectAll(by, pauseTexts.reason(by));
  try {
    await started;
    await heldAddress.hold();
    return pauseTexts.paused;
  } catch (error) {
    return pauseTexts.notSaved(explain(error));
  }
}

/** `/resume` */
export async function resume(by: string, { pause: state, heldAddress }: OwnerPowers): Promise<string> {
  await state.end();
  await heldAddress.release(by);
  return pauseTexts.resumed;
}
