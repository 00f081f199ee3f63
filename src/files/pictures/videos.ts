/** Previews and durations of videos, where ffmpeg is installed. */
import { execFile } from "node:child_process";
import type { VideoFormat } from "./media.js";

/** Runs a program; resolves with what it wrote, or undefined when it is not there or fails. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<Buffer | undefined>;

const PROGRAM_MS = 20_000;
const MOST_OUTPUT = 32 << 20;

export const runProgram: RunProgram = (program, args) =>
  new Promise((resolve) => {
    execFile(
      program,
      [...args],
      {
        timeout: PROGRAM_MS,
        killSignal: "SIGKILL",
        maxBuffer: MOST_OUTPUT,
        encoding: "buffer",
        windowsHide: true,
      },
      (error, stdout) => resolve(error ? undefined : stdout),
    );
  });

/** Whether there is a program to show them. */
export async function canShowVideos(run: RunProgram = runProgram): Promise<boolean> {
  return (await run("ffmpeg", ["-version"])) !== undefined;
}

/** No format is guessed, no other file opened, no large picture decoded. */
function input(path: string, format: VideoFormat): string[] {
  return ["-protocol_whitelist", "file", "-f", format, "-i", `file:${path}`];
}

/** The first picture, as a JPEG; undefined where there is none to be had. */
export async function firstFrame(
  path: string,
  format: VideoFormat,
  run: RunProgram = runProgram,
): Promise<Buffer | undefined> {
  const picture = await run("ffmpeg", [
    ...["-nostdin", "-v", "error", "-threads", "1", "-max_pixels", "64000000"],
    ...input(path, format),
    ...["-map", "0:v:0", "-frames:v", "1", "-vf", "scale=w='min(800,iw)':h=-2"],
    ...["-f", "image2pipe", "-c:v", "mjpeg", "pipe:1"],
  ]);
  return picture && picture.length > 0 ? picture : undefined;
}

/** Whole seconds; 0 where it is not known. */
export async function duration(
  path: string,
  format: VideoFormat,
  run: RunProgram = runProgram,
): Promise<number> {
  const text = await run("ffprobe", [
    ...["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0"],
    ...input(path, format),
  ]);
  const seconds = Math.round(Number(text?.toString("latin1").trim() || Number.NaN));
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : 0;
}
