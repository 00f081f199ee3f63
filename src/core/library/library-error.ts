import { fieldOf, oneLine } from "../api/json.js";

/** The SimpleX library or its database cannot be used; the message is one line that says what to do. */
export class LibraryError extends Error {
  override readonly name = "LibraryError";
}

/** Both packages in one place, however this program was started: `npx` keeps each package set apart. */
const PACKAGES = '-p @simplex-chat/mcp -p "simplex-chat@>=7.0.0-beta.2"';
const NEWEST = "-p @simplex-chat/mcp@latest -p simplex-chat@latest";

/** What to run in place of the command line `args`. */
const run = (packages: string, args: string): string => `Run: npx -y ${packages} simplex-mcp ${args}`;

/** The package that was found is of a time before `ChatApi`. */
export function tooOld(args: string): LibraryError {
  return new LibraryError(`The installed simplex-chat is too old. ${run(PACKAGES, args)}`);
}

/** Why the package could not be loaded. */
export function loadError(cause: unknown, args: string): LibraryError {
  const reason = reasonOf(cause);
  const missing = fieldOf(cause, "code") === "ERR_MODULE_NOT_FOUND" && /package 'simplex-chat'/.test(reason);
  if (missing)
    return new LibraryError(`The SimpleX library is not installed. ${run(PACKAGES, args)}`, { cause });
  return new LibraryError(`The SimpleX library does not load: ${reason} ${run(PACKAGES, args)}`, { cause });
}

/** Why the databases could not be opened. */
export function openError(cause: unknown, args: string): LibraryError {
  const problem = fieldOf(cause, "dbMigrationError");
  if (problem !== undefined) return new LibraryError(databaseAdvice(problem, args), { cause });
  const advice = "Check the network and start again, or set SIMPLEX_LIBS_DIR to a folder that has it.";
  return new LibraryError(`The SimpleX library does not start: ${reasonOf(cause)} ${advice}`, { cause });
}

function databaseAdvice(problem: unknown, args: string): string {
  const file = fieldOf(problem, "dbFile");
  const database = typeof file === "string" ? `The database ${file}` : "The database";
  switch (fieldOf(problem, "type")) {
    case "errorNotADatabase":
      return `${database} is damaged or encrypted. Restore both databases from one backup.`;
    case "errorMigration":
      return migrationAdvice(database, fieldOf(problem, "migrationError"), args);
    case "errorSQL":
      return sqlAdvice(database, String(fieldOf(problem, "migrationSQLError") ?? "unknown reason"));
    default:
      return `${database} cannot be opened: ${oneLine(JSON.stringify(problem))}. Restore both databases from one backup.`;
  }
}

function migrationAdvice(database: string, error: unknown, args: string): string {
  const newer = fieldOf(error, "type") === "downgrade" || fieldOf(error, "type") === "migrationError";
  if (newer) return `${database} was made by a newer SimpleX. ${run(NEWEST, args)}`;
  return `${database} cannot be upgraded: ${oneLine(JSON.stringify(error))}. ${run(PACKAGES, args)}`;
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
