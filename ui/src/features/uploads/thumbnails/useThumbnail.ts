import { useEffect, useState } from "react";
import { videoThumbnail } from "./thumbnail";

const IS_VIDEO = /^video\//;

/** The thumbnail of a video that is here as bytes; undefined until it is made, and for everything else. */
export function useThumbnail(data: Blob | undefined, type: string): string | undefined {
  const [picture, setPicture] = useState<string>();
  useEffect(() => {
    if (data === undefined || !IS_VIDEO.test(type)) return;
    let isCurrent = true;
    void videoThumbnail(data).then((made) => {
      if (isCurrent) setPicture(made);
    });
    return () => {
      isCurrent = false;
    };
  }, [data, type]);
  return picture;
}
