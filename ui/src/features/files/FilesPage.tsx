import { Stack, Title } from "@mantine/core";
import { useNavigate } from "react-router";
import { usePageTitle } from "../../layouts/usePageTitle";
import { FileList } from "./FileList";

export default function FilesPage() {
  usePageTitle("Files");
  const navigate = useNavigate();
  return (
    <Stack gap="lg">
      <Title order={1}>Files</Title>
      <FileList onAdd={() => void navigate("/dashboard")} />
    </Stack>
  );
}
