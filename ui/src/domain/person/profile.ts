import { callHeaders, unwrap, type Schemas } from "../../platform/api/client";

type User = Schemas["UserOut"];

export interface Profile {
  name: string;
  locale: string;
  /** undefined leaves the picture, null removes it. */
  picture?: File | null;
}

export async function saveProfile({ name, locale, picture }: Profile): Promise<User> {
  const body = new FormData();
  body.append("_method", "PUT");
  body.append("name", name);
  body.append("locale", locale);
  if (picture) body.append("img", picture);
  if (picture === null) body.append("remove_img", "true");
  const headers = await callHeaders("POST");
  const call = fetch("/api/user/settings", {
    method: "POST",
    headers,
    body,
    credentials: "same-origin",
  });
  const answer = await unwrap<{ data: User }>(
    call.then(async (response) => {
      const parsed: unknown = await response.json().catch(() => undefined);
      return response.ok
        ? { data: parsed as { data: User }, response }
        : { error: parsed, response };
    }),
  );
  return answer.data;
}
