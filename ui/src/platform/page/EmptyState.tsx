import { Button, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../messages/shell";
import { inlineTags } from "./inlineTags";
import { Illustration, type Hero } from "./Illustration";
import styles from "./empty.module.css";

interface Props {
  loading?: boolean;
  title?: string;
  description?: ReactNode;
  hero?: Hero;
  /** The button that adds content, and the kind of content. */
  add?: { label: string; contentType: string; onAdd: (contentType: string) => void };
}

/** The empty state of a list: a loading view first, then what belongs here and how to start. */
export function EmptyState({ loading = true, title, description, hero = "searching", add }: Props) {
  const drawn = typeof description === "string" ? inlineTags(description) : description;
  return (
    <div className={styles.empty} role="status">
      <div
        className={loading ? `${styles.emptyHero} ${styles.emptyHeroLoading}` : styles.emptyHero}
      >
        <Illustration hero={loading ? "maintenance" : hero} />
      </div>
      <Title order={2}>{loading ? t("page.loading") : title}</Title>
      <Text className="quiet" maw={440}>
        {loading ? t("page.loadingContent") : drawn}
      </Text>
      {!loading && add !== undefined && (
        <Button miw={245} mt="sm" size="md" onClick={() => add.onAdd(add.contentType)}>
          {add.label}
        </Button>
      )}
    </div>
  );
}
