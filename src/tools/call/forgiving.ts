/** What clients in strict mode send for arguments that a model left out, and numbers that it wrote as text. */
import { z } from "zod";

const NUMBER = /^\s*-?\d+(?:\.\d+)?\s*$/;

/**
 * The arguments as the schema means them: null for a key that may be missing is left out, and a numeric string counts
 * as the number where a number is wanted. What is wrong otherwise stays for the schema to refuse.
 */
export function forgiven(schema: z.ZodObject, input: unknown): unknown {
  // No arguments at all, for a tool that needs none.
  if (input === undefined || input === null) return {};
  if (typeof input !== "object" || Array.isArray(input)) return input;
  return Object.fromEntries(
    Object.entries(input).flatMap(([key, value]) => {
      const wanted = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
      if (value === null && wanted && wanted.safeParse(undefined).success) return [];
      return [[key, wanted ? withNumbers(wanted, value) : value]];
    }),
  );
}

function withNumbers(schema: z.core.$ZodType, value: unknown): unknown {
  const wanted = inner(schema);
  if (wanted instanceof z.ZodNumber) {
    return typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
  }
  if (wanted instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((one) => withNumbers(wanted.element, one));
  }
  return value;
}

/** Without what only says that a value may be missing. */
function inner(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return inner(schema.unwrap());
  return schema;
}
