import { Alert, Button, Progress, Text } from "@mantine/core";
import { t } from "../../../platform/i18n/en/timing";
import type { MediaFile } from "../../../domain/files/data";
import { isSearching, useShots, useShotSearch } from "./shots";

/** How many shots are known, and a button that looks for them. */
export function ShotSearch({ file, readOnly }: { file: MediaFile; readOnly: boolean }) {
  const { data: shots, error } = useShots(file);
  const search = useShotSearch(file.slug);
  if (shots === undefined) {
    return (
      <Text size="sm" role={error ? "alert" : "status"}>
        {error?.message ?? t("shotsLoading")}
      </Text>
    );
  }
  const isBusy = isSearching(shots);
  return (
    <>
      {shots.state === "failed" && <Alert color="red">{shots.error ?? t("shotsFailed")}</Alert>}
      <Text size="sm" role="status" data-testid="shots-state">
        {isBusy
          ? t("shotsSearching")
          : shots.state === "ready"
            ? t("shotsFound", { count: shots.shots_ms.length })
            : t("shotsUnknown")}
      </Text>
      {isBusy && <Progress value={shots.progress} aria-label={t("shotsSearching")} />}
      <Button
        variant="default"
        disabled={readOnly || isBusy}
        onClick={() => void search()}
        data-testid="find-shots"
      >
        {shots.state === "ready" ? t("shotsAgain") : t("shotsFind")}
      </Button>
    </>
  );
}
