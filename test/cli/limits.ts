import { spawnSync } from "node:child_process";

/** A shell script in a mount namespace of its own, so that no mount outlives it. `$1` is the folder; then the program. */
const inNamespace = (script: string, folder: string): readonly string[] => [
  "unshare",
  "--user",
  "--map-root-user",
  "--mount",
  "sh",
  "-c",
  `${script} && shift && exec "$@"`,
  "sh",
  folder,
];

/** Runs a program that finds this folder on a disk that nobody can write to. */
export const onReadOnlyDisk = (folder: string): readonly string[] =>
  inNamespace('mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"', folder);

/** Runs a program that finds this folder empty, on a disk of so many bytes. */
export const onSmallDisk = (folder: string, bytes: number): readonly string[] =>
  inNamespace(`mount -t tmpfs -o size=${bytes} tmpfs "$1"`, folder);

/** Why no such disks can be had here; undefined when they can. */
export function noPrivateMounts(): string | undefined {
  if (process.platform !== "linux") return "needs Linux";
  const [command = "", ...args] = [...onSmallDisk("/tmp", 4096), "true"];
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/** Runs a program for which the modes of files count, also where the tests are run by the administrator. */
export function withoutPrivileges(): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  return ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"];
}
