import { Button, Text, Title } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/account";
import { IconDownload, IconTrash } from "../../platform/theme/icons";
import { EXPORT_URL, type User } from "./data";
import { DeleteDialog } from "./DeleteDialog";
import styles from "./account.module.css";

/** Download a copy of one's data, or delete the account. */
export default function DataSection({ user }: { user: User }) {
  const [deleting, setDeleting] = useState(false);
  return (
    <div className={styles.cards}>
      <section className={`card ${styles.card}`} aria-labelledby="copy-title">
        <Title order={2} id="copy-title">
          {t("data.title")}
        </Title>
        <Text className="quiet">{t("data.about")}</Text>
        <div>
          <Button
            component="a"
            href={EXPORT_URL}
            download
            variant="default"
            leftSection={<IconDownload size={17} />}
          >
            {t("download")}
          </Button>
        </div>
      </section>
      <section className={`card ${styles.card}`} aria-labelledby="delete-title">
        <Title order={2} id="delete-title">
          {t("delete.title")}
        </Title>
        <Text className="quiet">{t("delete.about")}</Text>
        <div>
          <Button
            color="red"
            variant="light"
            leftSection={<IconTrash size={17} />}
            onClick={() => setDeleting(true)}
          >
            {t("delete.start")}
          </Button>
        </div>
      </section>
      <DeleteDialog user={user} opened={deleting} onClose={() => setDeleting(false)} />
    </div>
  );
}
