import type { RecordedApi } from "./recorded-api.js";

/** Lets whoever listens get every event of `api` twice, as a core may tell it. To be called before the api is used. */
export function doubled(api: RecordedApi): void {
  const onAny = api.onAny.bind(api);
  api.onAny = (handler) =>
    onAny((event) => {
      handler(event);
      handler(event);
    });
}
