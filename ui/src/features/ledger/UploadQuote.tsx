import { Alert, Anchor } from "@mantine/core";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { t } from "../../platform/messages/ledger";
import { useQuote } from "./data";
import { mediaDuration } from "./mediaDuration";

/** What the files on their way up will use, as soon as the browser knows how long they are. */
export function UploadQuote({ files }: { files: readonly { id: string; data: unknown }[] }) {
  const [lengths, setLengths] = useState<Record<string, number | undefined>>({});
  useEffect(() => {
    for (const { id, data } of files) {
      if (id in lengths || !(data instanceof Blob)) continue;
      setLengths((held) => ({ ...held, [id]: undefined }));
      void mediaDuration(data).then((seconds) =>
        setLengths((held) => ({ ...held, [id]: seconds })),
      );
    }
  }, [files, lengths]);
  const known = files.flatMap(({ id }) => lengths[id] ?? []);
  const seconds = known.reduce((sum, length) => sum + Math.ceil(length), 0);
  const { data: quote } = useQuote(seconds > 0 ? seconds : undefined);
  if (quote?.sentence == null) return null;
  return (
    <Alert
      color={quote.fits ? "spruce" : "yellow"}
      role="status"
      mt="sm"
      py="xs"
      data-testid="upload-quote"
      data-fits={quote.fits}
    >
      {quote.sentence}{" "}
      <Anchor component={Link} to="/minutes" inherit>
        {t("see")}
      </Anchor>
    </Alert>
  );
}
