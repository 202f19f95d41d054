/** A path as people read it; undefined where its percent signs encode no text, as in `/captions/%zz`. */
export function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
