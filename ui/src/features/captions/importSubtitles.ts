import { callHeaders, unwrap } from "../../api/client";

/** Replace all lines by those of a subtitle file; one change that can be undone. */
export async function importSubtitles(slug: string, chosen: File): Promise<void> {
  const body = new FormData();
  body.append("file", chosen);
  const headers = await callHeaders("POST");
  await unwrap<unknown>(
    fetch(`/api/files/captions/${slug}/import`, {
      method: "POST",
      headers,
      body,
      credentials: "same-origin",
    }).then(async (response) => {
      const parsed: unknown = await response.json().catch(() => undefined);
      return response.ok ? { data: parsed, response } : { error: parsed, response };
    }),
  );
}
