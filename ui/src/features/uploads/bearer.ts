/** Which token opens which upload: the upload host may have a name of its own, to which no cookies go. */
import { uploadToken } from "./report";

interface Bearer {
  token: string;
  /** In milliseconds since 1970. */
  until: number;
}

const MARGIN_MS = 60_000;

export class Bearers {
  private readonly byUrl = new Map<string, Bearer>();

  /** The value of `Authorization` for a request. Each creation needs a token of its own. */
  async header(method: string, url: string): Promise<string> {
    if (method === "POST") return `Bearer ${(await uploadToken()).token}`;
    const key = absolute(url);
    const known = this.byUrl.get(key);
    if (known !== undefined && known.until > Date.now()) return `Bearer ${known.token}`;
    // An upload of an earlier visit goes on with any token of the same person.
    const { token, expires_at } = await uploadToken();
    this.byUrl.set(key, { token, until: Date.parse(expires_at) - MARGIN_MS });
    return `Bearer ${token}`;
  }

  /** An upload was created with this header: its token opens it for as long as it lasts. */
  created(url: string, header: string): void {
    this.byUrl.set(absolute(url), { token: header.replace("Bearer ", ""), until: Infinity });
  }
}

const absolute = (url: string): string => new URL(url, document.baseURI).href;
