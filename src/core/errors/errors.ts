export { CoreError } from "./core-error.js";
export * from "./error-questions.js";
export { explain } from "./explain.js";
