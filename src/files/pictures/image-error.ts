/** The image cannot be shown: why, as a clause about the file. */
export class ImageError extends Error {
  override name = "ImageError";
}

/** Its bytes end too early, or are not what its format says. */
export function damaged(cause?: unknown): ImageError {
  return new ImageError("holds no whole image", { cause });
}
