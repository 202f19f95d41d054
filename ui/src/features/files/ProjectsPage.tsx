import { Button, Group, Title } from "@mantine/core";
import { Link, useNavigate } from "react-router";
import { usePageTitle } from "../../layouts/usePageTitle";
import { IconFolder } from "../../theme/icons";
import { FileBrowser } from "./FileBrowser";

/** Videos only. Audio, and files that failed early, are on the page of all files. */
export default function ProjectsPage() {
  usePageTitle("Projects");
  const navigate = useNavigate();
  return (
    <>
      <Group justify="space-between" mb="lg">
        <Title order={1}>Projects</Title>
        <Button
          component={Link}
          to="/captions"
          variant="default"
          leftSection={<IconFolder size={17} />}
        >
          All files
        </Button>
      </Group>
      <FileBrowser kind="videos" onAdd={() => void navigate("/dashboard")} />
    </>
  );
}
