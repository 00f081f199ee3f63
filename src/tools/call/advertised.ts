import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { forgiven } from "./forgiving.js";

type Convert = StandardSchemaWithJSON["~standard"]["jsonSchema"]["input"];

const advertisedSchemas = new WeakMap<z.ZodObject, StandardSchemaWithJSON>();

/** The same for the arguments of a tool, which are read in a forgiving way; what is advertised stays. */
export function advertisedInput(schema: z.ZodObject): StandardSchemaWithJSON {
  const standard = advertised(schema)["~standard"];
  return {
    "~standard": { ...standard, validate: (input) => standard.validate(forgiven(schema, input)) },
  };
}

/**
 * The schema with its JSON form kept. The SDK asks for that form at each call, since a server lives for one request
 * only, and zod works it out anew each time: that cost more than the call.
 */
export function advertised(schema: z.ZodObject): StandardSchemaWithJSON {
  const known = advertisedSchemas.get(schema);
  if (known) return known;
  const standard = schema["~standard"];
  const { input, output } = standard.jsonSchema;
  const made = { "~standard": { ...standard, jsonSchema: { input: kept(input), output: kept(output) } } };
  advertisedSchemas.set(schema, made);
  return made;
}

function kept(convert: Convert): Convert {
  const forms = new Map<string, ReturnType<Convert>>();
  return (options) => {
    const form = forms.get(options.target) ?? convert(options);
    forms.set(options.target, form);
    return form;
  };
}
