/** The bytes of a spectrogram, fetched in pieces of a minute as they come into view. */
import { callHeaders } from "../../../platform/api/client";

/** As `pipelines/media/sound/spectrogram.py` writes it. */
export const COLUMNS_PER_SECOND = 40;
export const BANDS = 64;
/** Columns of a tile: 51 s, 131 kB. */
export const TILE_COLUMNS = 2_048;
const TILE_BYTES = TILE_COLUMNS * BANDS;
/** Tiles that stay: 40 minutes, and more than any screen shows at once. */
const TILES_MAX = 48;

/** 256 colours from silent to loud, as red, green, blue and opacity in turn. */
export type Colours = Uint8ClampedArray;

interface Tile {
  bytes: Uint8Array | undefined;
  picture: HTMLCanvasElement | undefined;
}

export class SpectrogramTiles {
  private readonly tiles = new Map<number, Tile>();
  private readonly stop = new AbortController();
  private colours: Colours | undefined;

  constructor(
    private readonly url: string,
    /** Called when a tile arrived, and with the error when one did not. */
    private readonly arrived: (error?: Error) => void,
  ) {}

  /** Draw the tiles in these colours from now on. */
  paint(colours: Colours): void {
    this.colours = colours;
    for (const tile of this.tiles.values()) tile.picture = undefined;
  }

  /** The picture of a tile, one pixel for each column and band; undefined until it has arrived. */
  at(number: number): HTMLCanvasElement | undefined {
    const tile = this.tiles.get(number);
    if (tile === undefined) {
      void this.fetch(number);
      return undefined;
    }
    if (tile.picture === undefined && tile.bytes !== undefined && this.colours !== undefined)
      tile.picture = pictureOf(tile.bytes, this.colours);
    return tile.picture;
  }

  end(): void {
    this.stop.abort();
    this.tiles.clear();
  }

  private async fetch(number: number): Promise<void> {
    const tile: Tile = { bytes: undefined, picture: undefined };
    this.tiles.set(number, tile);
    const oldest = this.tiles.keys().next().value;
    if (this.tiles.size > TILES_MAX && oldest !== undefined) this.tiles.delete(oldest);
    const from = number * TILE_BYTES;
    try {
      const response = await globalThis.fetch(this.url, {
        credentials: "same-origin",
        headers: { ...(await callHeaders("GET")), Range: `bytes=${from}-${from + TILE_BYTES - 1}` },
        signal: this.stop.signal,
      });
      // 416: the file ends before this tile.
      if (!response.ok && response.status !== 416) throw new Error(String(response.status));
      const bytes = new Uint8Array(response.ok ? await response.arrayBuffer() : []);
      // A proxy that knows no ranges answers with everything.
      tile.bytes = response.status === 200 ? bytes.slice(from, from + TILE_BYTES) : bytes;
      this.arrived();
    } catch (error) {
      if (this.stop.signal.aborted) return;
      this.tiles.delete(number);
      this.arrived(error as Error);
    }
  }
}

function pictureOf(bytes: Uint8Array, colours: Colours): HTMLCanvasElement | undefined {
  const columns = Math.floor(bytes.length / BANDS);
  if (columns === 0) return undefined;
  const picture = document.createElement("canvas");
  picture.width = columns;
  picture.height = BANDS;
  const drawing = picture.getContext("2d");
  if (drawing === null) return undefined;
  const pixels = drawing.createImageData(columns, BANDS);
  const words = new Uint32Array(pixels.data.buffer);
  const palette = new Uint32Array(colours.buffer, colours.byteOffset, 256);
  for (let band = 0; band < BANDS; band += 1) {
    // Low frequencies are at the bottom.
    const row = (BANDS - 1 - band) * columns;
    for (let column = 0; column < columns; column += 1)
      words[row + column] = palette[bytes[column * BANDS + band] ?? 0] ?? 0;
  }
  drawing.putImageData(pixels, 0, 0);
  return picture;
}
