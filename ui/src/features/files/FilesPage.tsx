import { Button, Group, Title } from "@mantine/core";
import { Link, useNavigate } from "react-router";
import { usePageTitle } from "../../layouts/usePageTitle";
import { IconTrash, IconUpload } from "../../theme/icons";
import { FileBrowser } from "./FileBrowser";

export default function FilesPage() {
  usePageTitle("Files");
  const navigate = useNavigate();
  return (
    <>
      <Group justify="space-between" mb="lg">
        <Title order={1}>Files</Title>
        <Group gap="xs">
          <Button
            component={Link}
            to="/bin"
            variant="default"
            leftSection={<IconTrash size={17} />}
          >
            Bin
          </Button>
          <Button component={Link} to="/dashboard" leftSection={<IconUpload size={17} />}>
            Upload
          </Button>
        </Group>
      </Group>
      <FileBrowser onAdd={() => void navigate("/dashboard")} />
    </>
  );
}
