import { Alert, Button, Progress, Text } from "@mantine/core";
import { t } from "../../../platform/messages/editing";
import type { MediaFile } from "../../../domain/files/data";
import { isSearching, useShots, useShotSearch } from "./shots";

/** How many shots are known, and a button that looks for them. */
export function ShotSearch({ file, readOnly }: { file: MediaFile; readOnly: boolean }) {
  const { data: shots, error } = useShots(file);
  const search = useShotSearch(file.slug);
  if (shots === undefined) {
    return (
      <Text size="sm" role={error ? "alert" : "status"}>
        {error?.message ?? t("timing.shotsLoading")}
      </Text>
    );
  }
  const isBusy = isSearching(shots);
  return (
    <>
      {shots.state === "failed" && (
        <Alert color="red">{shots.error ?? t("timing.shotsFailed")}</Alert>
      )}
      <Text size="sm" role="status" data-testid="shots-state">
        {isBusy
          ? t("timing.shotsSearching")
          : shots.state === "ready"
            ? t("timing.shotsFound", { count: shots.shots_ms.length })
            : t("timing.shotsUnknown")}
      </Text>
      {isBusy && <Progress value={shots.progress} aria-label={t("timing.shotsSearching")} />}
      <Button
        variant="default"
        disabled={readOnly || isBusy}
        onClick={() => void search()}
        data-testid="find-shots"
      >
        {shots.state === "ready" ? t("timing.shotsAgain") : t("timing.shotsFind")}
      </Button>
    </>
  );
}
