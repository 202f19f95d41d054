import { useDisclosure } from "@mantine/hooks";
import { Suspense } from "react";
import { t as tLayouts } from "../../platform/messages/shell";
import { dayOf } from "../../platform/i18n/days";
import { t } from "../../platform/messages/teams";
import { part } from "../../platform/failure/Later";
import { IconUser, IconUsersGroup } from "../../platform/theme/icons";
import { useSession } from "../../domain/person/session";
import type { MediaFile } from "../../domain/files/data";
import styles from "./owner.module.css";

const MoveDialog = part(() => import("./MoveDialog"));

interface Props {
  /** The id of the team that it belongs to; null for somebody's own. */
  team: string | null;
  /** The file that can be moved from here. */
  file?: MediaFile;
}

const DAY_MS = 86_400_000;
/** From so many days before a file goes to the bin by its team's rule, its card says so. */
const SAID_DAYS = 14;

function soonInBin(file: MediaFile | undefined, keepDays: number | null | undefined) {
  if (file === undefined || keepDays == null) return undefined;
  const at = Date.parse(file.kept_since) + keepDays * DAY_MS;
  return at - Date.now() < SAID_DAYS * DAY_MS ? new Date(at).toISOString() : undefined;
}

/** Whose something is, in words. Nothing for people without teams: all they see is theirs. */
export default function Owner({ team, file }: Props) {
  const [moving, move] = useDisclosure();
  const teams = useSession().user?.teams.filter(({ is_active }) => is_active) ?? [];
  if (teams.length === 0) return null;
  const hasPlace = team !== null || teams.some(({ role }) => role !== "viewer");
  const name =
    team === null ? tLayouts("page.personal") : (teams.find(({ id }) => id === team)?.name ?? "");
  const binsSoon = soonInBin(file, teams.find(({ id }) => id === team)?.keep_days);
  const Mark = team === null ? IconUser : IconUsersGroup;
  return (
    <span className={styles.owner} data-testid="owner">
      <Mark size={15} aria-hidden="true" />
      <span className={styles.name} title={name}>
        {name}
      </span>
      {binsSoon !== undefined && (
        <span className={styles.bins} data-testid="bins-on">
          {t("rules.binsOn", { date: dayOf(binsSoon) })}
        </span>
      )}
      {file?.may_move === true && hasPlace && (
        <button
          type="button"
          className={styles.move}
          aria-label={t(team === null ? "move.to" : "moveFile", { name: file.name })}
          onClick={move.open}
        >
          {t(team === null ? "move.label" : "move")}
        </button>
      )}
      <Suspense fallback={null}>
        {file !== undefined && moving && <MoveDialog files={[file]} onClose={move.close} />}
      </Suspense>
    </span>
  );
}
