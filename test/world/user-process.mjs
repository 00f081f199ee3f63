/**
 * One user of SimpleX in a process of its own. Its parent asks `{id, open | start | command | close}`, each is answered by
 * `{id, answer | error}`, and each event comes as `{event}`. Ends with its parent.
 */
const [library] = process.argv.slice(2);

/** @type {any} */
let api;

const asked = {
  /** @param {{ open: string }} request */
  async open({ open: filePrefix }) {
    const loaded = await import(library);
    const { ChatApi } = loaded.api ?? loaded.default.api;
    api = await ChatApi.init({ type: "sqlite", filePrefix });
    api.onAny((/** @type {unknown} */ event) => void process.send?.({ event }));
  },
  start: () => api.startChat(),
  /** @param {{ command: string }} request */
  command: ({ command }) => api.sendChatCmd(command),
  close: () => api.close(),
};

process.on("disconnect", () => process.exit());
process.on("message", async (/** @type {any} */ request) => {
  const { id, what } = request;
  try {
    const answer = await asked[/** @type {keyof typeof asked} */ (what)](request);
    process.send?.({ id, answer: what === "command" ? answer : undefined });
  } catch (error) {
    // What the library adds to an error (`chatError`, `dbMigrationError`) is its own; its message is not listed.
    process.send?.({ id, error: { ...Object(error), message: String(Object(error).message ?? error) } });
  }
});
