import { z } from "zod";

/** Any object of the core that carries a tag. */
const Tagged = z.looseObject({ type: z.string() });

/** What a variant that this program does not know is read as; `tag` is the core's `type`. */
const Unknown = z.object({ type: z.literal("unknown"), tag: z.string() });

type Variant = z.ZodObject<{ type: z.ZodLiteral<string> }>;

/**
 * A union by `type` that newer cores may extend: an unknown `type` becomes `{type: "unknown", tag}` instead of
 * failing the whole answer. A known `type` of the wrong shape still fails.
 */
export function openUnion<const Variants extends readonly Variant[]>(...variants: Variants) {
  const known = new Set(variants.map((variant) => variant.shape.type.value));
  const fold = (value: unknown) => {
    const tagged = Tagged.safeParse(value);
    if (!tagged.success || known.has(tagged.data.type)) return value;
    return { type: "unknown", tag: tagged.data.type };
  };
  return z.preprocess(fold, z.discriminatedUnion("type", [Unknown, ...variants]));
}
