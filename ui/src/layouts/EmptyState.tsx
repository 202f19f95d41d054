import { Button, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Illustration, type Hero } from "./Illustration";
import styles from "./empty.module.css";

interface Props {
  loading?: boolean;
  title?: string;
  description?: ReactNode;
  hero?: Hero;
  /** The button that asks for new content, with what kind of content it is. */
  add?: { label: string; contentType: string; onAdd: (contentType: string) => void };
}

/** A list without content: first that it is loading, then what belongs there and how to begin. */
export function EmptyState({ loading = true, title, description, hero = "searching", add }: Props) {
  return (
    <div className={styles.empty} role="status">
      <div
        className={loading ? `${styles.emptyHero} ${styles.emptyHeroLoading}` : styles.emptyHero}
      >
        <Illustration hero={loading ? "maintenance" : hero} />
      </div>
      <Title order={2}>{loading ? "Loading" : title}</Title>
      <Text className="quiet" maw={440}>
        {loading ? "Content is being fetched and loaded" : description}
      </Text>
      {!loading && add !== undefined && (
        <Button miw={245} mt="sm" size="md" onClick={() => add.onAdd(add.contentType)}>
          {add.label}
        </Button>
      )}
    </div>
  );
}
