/** Readers of what peers write: the core passes much of it on as it came. They take every JSON and never fail. */
import { z } from "zod";

/** A text; anything else is none. */
export const text = z.string().catch("");

/** A text that may be missing; anything else is. */
export const optionalText = z.string().optional().catch(undefined);

/** Bytes as a peer says: a whole number of any length, or below zero. What is no number is more than any disk has. */
export const bytes = z
  .unknown()
  .optional()
  .transform((size) => {
    if (typeof size !== "number" || Number.isNaN(size)) return Number.MAX_SAFE_INTEGER;
    return Math.min(Math.max(0, Math.trunc(size)), Number.MAX_SAFE_INTEGER);
  });

/** The elements that can be read, and how many cannot. No list is an empty one. */
export function countedEach<Schema extends z.ZodType>(schema: Schema) {
  return z
    .unknown()
    .optional()
    .transform((list) => {
      const all: unknown[] = Array.isArray(list) ? list : [];
      const read = all.flatMap((one): z.output<Schema>[] => {
        const element = schema.safeParse(one);
        return element.success ? [element.data] : [];
      });
      return { read, unreadable: all.length - read.length };
    });
}

/** The elements that can be read: one that cannot does not fail the others. */
export function each<Schema extends z.ZodType>(schema: Schema) {
  return countedEach(schema).transform(({ read }) => read);
}
