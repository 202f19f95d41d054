import { Button, Group, Title } from "@mantine/core";
import { Link, useNavigate } from "react-router";
import { t } from "../../i18n/en/files";
import { usePageTitle } from "../../layouts/usePageTitle";
import { IconTrash, IconUpload } from "../../theme/icons";
import { FileBrowser } from "./FileBrowser";

export default function FilesPage() {
  usePageTitle(t("files"));
  const navigate = useNavigate();
  return (
    <>
      <Group justify="space-between" mb="lg">
        <Title order={1}>{t("files")}</Title>
        <Group gap="xs">
          <Button
            component={Link}
            to="/bin"
            variant="default"
            leftSection={<IconTrash size={17} />}
          >
            {t("bin")}
          </Button>
          <Button component={Link} to="/dashboard" leftSection={<IconUpload size={17} />}>
            {t("upload")}
          </Button>
        </Group>
      </Group>
      <FileBrowser onAdd={() => void navigate("/dashboard")} />
    </>
  );
}
