/** The token for each upload: the upload server may have its own host name, to which cookies are not sent. */
import { uploadToken } from "./report";

interface Bearer {
  token: string;
  /** In milliseconds since 1970. */
  until: number;
}

const MARGIN_MS = 60_000;

export class Bearers {
  private readonly byUrl = new Map<string, Bearer>();

  /** The value of `Authorization` for a request. Each creation needs its own token, for a file of `size` bytes. */
  async header(method: string, url: string, size?: number): Promise<string> {
    if (method === "POST") return `Bearer ${(await uploadToken(size)).token}`;
    const key = absolute(url);
    const known = this.byUrl.get(key);
    if (known !== undefined && known.until > Date.now()) return `Bearer ${known.token}`;
    // An upload from an earlier visit resumes with any token of the same person.
    const { token, expires_at } = await uploadToken();
    this.byUrl.set(key, { token, until: Date.parse(expires_at) - MARGIN_MS });
    return `Bearer ${token}`;
  }

  /** An upload was created with this header; its token stays valid for it. */
  created(url: string, header: string): void {
    this.byUrl.set(absolute(url), { token: header.replace("Bearer ", ""), until: Infinity });
  }
}

const absolute = (url: string): string => new URL(url, document.baseURI).href;
