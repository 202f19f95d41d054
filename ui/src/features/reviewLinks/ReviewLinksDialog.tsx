import { Button, Modal, Stack, Text, Title } from "@mantine/core";
import { t } from "../../platform/messages/reviewLinks";
import { EmptyState } from "../../platform/page/EmptyState";
import { useReviewLinks } from "./data";
import { LinkRow } from "./LinkRow";
import { NewLinkForm } from "./NewLinkForm";
import styles from "./reviewLinks.module.css";

interface Props {
  file: { slug: string; name: string };
  onClose: () => void;
}

/** The links by which people without an account review a file: make, copy and revoke them. */
export default function ReviewLinksDialog({ file, onClose }: Props) {
  const { data: links, error, mutate, make, revoke } = useReviewLinks(file.slug);
  return (
    <Modal opened onClose={onClose} title={t("dialog.title", { name: file.name })} size="lg">
      <Stack gap="lg">
        <Text className="quiet">{t("dialog.about")}</Text>
        <NewLinkForm onMake={make} />
        {links === undefined ? (
          error === undefined ? (
            <EmptyState />
          ) : (
            <Text role="alert" className="danger-text">
              {error.message}{" "}
              <Button variant="subtle" size="compact-sm" onClick={() => void mutate()}>
                {t("tryAgain")}
              </Button>
            </Text>
          )
        ) : (
          links.length > 0 && (
            <section aria-labelledby="review-links">
              <Title order={3} id="review-links" size="h4" mb="xs">
                {t("dialog.links")}
              </Title>
              <ul className={styles.links}>
                {links.map((link) => (
                  <LinkRow key={link.id} link={link} onRevoke={() => revoke(link.id)} />
                ))}
              </ul>
            </section>
          )
        )}
      </Stack>
    </Modal>
  );
}
