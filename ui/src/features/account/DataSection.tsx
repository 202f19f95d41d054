import { Button, Text, Title } from "@mantine/core";
import { useState } from "react";
import { IconDownload, IconTrash } from "../../theme/icons";
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
          A copy of your data
        </Title>
        <Text className="quiet">
          A ZIP file with your profile, the list of your files, every caption track, AI texts, tags,
          your glossary and the account log. Videos and sounds are not in it: download those on the
          page of each file.
        </Text>
        <div>
          <Button
            component="a"
            href={EXPORT_URL}
            download
            variant="default"
            leftSection={<IconDownload size={17} />}
          >
            Download
          </Button>
        </div>
      </section>
      <section className={`card ${styles.card}`} aria-labelledby="delete-title">
        <Title order={2} id="delete-title">
          Delete your account
        </Title>
        <Text className="quiet">
          You are signed out everywhere, and work on your files stops. For 30 days you can take it
          back by signing in. Then your files and everything made from them are gone for good; what
          you added to a team stays with the team.
        </Text>
        <div>
          <Button
            color="red"
            variant="light"
            leftSection={<IconTrash size={17} />}
            onClick={() => setDeleting(true)}
          >
            Delete my account
          </Button>
        </div>
      </section>
      <DeleteDialog user={user} opened={deleting} onClose={() => setDeleting(false)} />
    </div>
  );
}
