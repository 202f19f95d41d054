import { api } from "../../platform/api/client";
import { t } from "../../platform/messages/library";

export interface Sample {
  file: File;
  /** What is spoken in it. */
  language: string;
}

/** The sample recording of this installation, to upload like any file. Throws a sentence. */
export async function fetchSample(): Promise<Sample> {
  const { data, response } = await api.GET("/api/sample", { parseAs: "blob" }).catch((cause) => {
    throw new Error(t("sample.failed"), { cause });
  });
  if (!(data instanceof Blob)) throw new Error(t("sample.failed"));
  const file = new File([data], t("sample.file"), { type: data.type });
  return { file, language: response.headers.get("Content-Language") ?? "" };
}
