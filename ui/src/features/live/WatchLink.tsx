import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { api, sentenceOf, unwrap } from "../../platform/api/client";
import { t } from "../../platform/messages/live";
import { toast } from "../../platform/notices/toast";
import { copyText } from "../../platform/page/copyText";
import { IconCopy, IconLink } from "../../platform/theme/icons";
import type { Live } from "./data";

/** The link at which anybody may read along, and the one for a broadcast. */
export function WatchLink({ live }: { live: Live }) {
  const [path, setPath] = useState(live.watch_path);
  const [isBusy, setBusy] = useState(false);
  const share = async (is_open: boolean) => {
    setBusy(true);
    try {
      const call = { params: { path: { key: live.slug } }, body: { is_open } };
      setPath((await unwrap(api.PUT("/api/live/{key}/link", call))).data.watch_path);
    } catch (error) {
      toast("error", sentenceOf(error, t("link.failed")));
    }
    setBusy(false);
  };
  const url = path === null ? undefined : `${location.origin}${path}`;
  return (
    <Popover position="bottom-end" width={360} shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconLink size={18} />} data-testid="watch-link">
          {t("link")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Text size="sm">{t("link.about")}</Text>
          {url === undefined ? (
            <Button loading={isBusy} onClick={() => void share(true)} data-testid="open-link">
              {t("link.open")}
            </Button>
          ) : (
            <>
              <Address label={t("link.readers")} url={url} />
              <Address label={t("link.overlay")} url={`${url}?overlay`} />
              <Address label={t("link.hls")} url={`${location.origin}/api${path}/captions.m3u8`} />
              <Button
                variant="subtle"
                color="red"
                loading={isBusy}
                onClick={() => void share(false)}
              >
                {t("link.close")}
              </Button>
            </>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Address({ label, url }: { label: string; url: string }) {
  return (
    <Group gap="xs" align="end" wrap="nowrap">
      <TextInput label={label} value={url} readOnly style={{ flex: 1 }} />
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t("link.copy", { what: label })}
        onClick={() => void copyText(url).then(() => toast("success", t("link.copied")))}
      >
        <IconCopy size={18} />
      </ActionIcon>
    </Group>
  );
}
