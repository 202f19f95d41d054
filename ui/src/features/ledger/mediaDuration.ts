const WITHIN_MS = 15_000;

/** How long a file on this computer plays, in seconds; undefined when the browser cannot read it. */
export function mediaDuration(data: Blob, withinMs = WITHIN_MS): Promise<number | undefined> {
  return new Promise((resolve) => {
    const url = URL.createObjectURL(data);
    const player = document.createElement("video");
    const end = (seconds: number | undefined) => {
      clearTimeout(timer);
      player.removeAttribute("src");
      URL.revokeObjectURL(url);
      resolve(seconds);
    };
    const timer = setTimeout(() => end(undefined), withinMs);
    player.preload = "metadata";
    player.addEventListener("loadedmetadata", () =>
      end(Number.isFinite(player.duration) ? player.duration : undefined),
    );
    player.addEventListener("error", () => end(undefined));
    player.src = url;
  });
}
