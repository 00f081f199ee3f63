import { fieldOf, oneLine } from "./json.js";

/** The SimpleX library or its database cannot be used; the message is one line that says what to do. */
export class LibraryError extends Error {
  override readonly name = "LibraryError";
}

/** Both packages in one place, however this program was started: `npx` keeps each package set apart. */
export const INSTALL = 'npx -y -p @simplex-chat/mcp -p "simplex-chat@>=7.0.0-beta.2" simplex-mcp serve …';

const NEWEST = "npx -y -p @simplex-chat/mcp@latest -p simplex-chat@latest simplex-mcp serve …";

/** Why the package could not be loaded. */
export function loadError(cause: unknown): LibraryError {
  const reason = reasonOf(cause);
  const missing = fieldOf(cause, "code") === "ERR_MODULE_NOT_FOUND" && /package 'simplex-chat'/.test(reason);
  if (missing) return new LibraryError(`The SimpleX library is not installed. Run: ${INSTALL}`, { cause });
  return new LibraryError(`The SimpleX library does not load: ${reason} Run: ${INSTALL}`, { cause });
}

/** Why the databases could not be opened. */
export function openError(cause: unknown): LibraryError {
  const problem = fieldOf(cause, "dbMigrationError");
  if (problem !== undefined) return new LibraryError(databaseAdvice(problem), { cause });
  const advice = "Check the network and start again, or set SIMPLEX_LIBS_DIR to a folder that has it.";
  return new LibraryError(`The SimpleX library does not start: ${reasonOf(cause)} ${advice}`, { cause });
}

function databaseAdvice(problem: unknown): string {
  const file = fieldOf(problem, "dbFile");
  const database = typeof file === "string" ? `The database ${file}` : "The database";
  switch (fieldOf(problem, "type")) {
    case "errorNotADatabase":
      return `${database} is damaged or encrypted. Restore both databases from one backup.`;
    case "errorMigration":
      return migrationAdvice(database, fieldOf(problem, "migrationError"));
    case "errorSQL":
      return sqlAdvice(database, String(fieldOf(problem, "migrationSQLError") ?? "unknown reason"));
    default:
      return `${database} cannot be opened: ${oneLine(JSON.stringify(problem))}. Restore both databases from one backup.`;
  }
}

function migrationAdvice(database: string, error: unknown): string {
  const newer = fieldOf(error, "type") === "downgrade" || fieldOf(error, "type") === "migrationError";
  if (newer) return `${database} was made by a newer SimpleX. Run: ${NEWEST}`;
  return `${database} cannot be upgraded: ${oneLine(JSON.stringify(error))}. Run: ${INSTALL}`;
}

function sqlAdvice(database: string, reason: string): string {
  const said = sentence(reason);
  if (/busy|locked/i.test(reason))
    return `${database} is in use by another program: ${said} Stop it and start again.`;
  if (/full/i.test(reason)) return `${database} cannot be opened: ${said} Free some disk space.`;
  return `${database} cannot be opened: ${said} Check that its folder can be written to, or restore both databases from one backup.`;
}

function reasonOf(cause: unknown): string {
  return sentence(cause instanceof Error ? cause.message : String(cause));
}

function sentence(text: string): string {
  const line = oneLine(text);
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}
