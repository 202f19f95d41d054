import { ActionIcon } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { Suspense, useState } from "react";
import { t } from "../../platform/messages/shell";
import { IconSearch } from "../../platform/theme/icons";
import { part } from "../../platform/failure/Later";

const SearchDialog = part(() => import("./SearchDialog"));

/** Opens the search from every page, also by Ctrl+K or Cmd+K. */
export function SearchButton({ className }: { className?: string }) {
  const [opened, setOpened] = useState(false);
  // No tag is left out: the keys also work while typing.
  useHotkeys([["mod+K", () => setOpened(true)]], [], true);
  return (
    <>
      <ActionIcon
        aria-label={t("search")}
        title={t("searchKeys")}
        aria-keyshortcuts="Control+K Meta+K"
        size="lg"
        className={className}
        onClick={() => setOpened(true)}
      >
        <IconSearch size={18} />
      </ActionIcon>
      <Suspense fallback={null}>
        {opened && <SearchDialog onClose={() => setOpened(false)} />}
      </Suspense>
    </>
  );
}
