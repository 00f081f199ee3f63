/** Exit codes: done; failed, with a line on stderr; used wrongly. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;
