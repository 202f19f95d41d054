import { Stack, Title } from "@mantine/core";
import { lazy, Suspense } from "react";
import { usePublicConfig } from "../../api/publicConfig";
import { usePageTitle } from "../../layouts/usePageTitle";
import { FileList } from "../files/FileList";

// Uppy and tus weigh as much as the rest of the page, so they come after the list is drawn.
const UploadArea = lazy(() => import("./UploadArea"));

export default function DashboardPage() {
  usePageTitle("Uploads");
  const config = usePublicConfig();
  const chooseFiles = () =>
    document.querySelector<HTMLInputElement>("input[aria-label='Files to upload']")?.click();
  return (
    <Stack gap="xl">
      <Title order={1}>Uploads</Title>
      <Suspense fallback={<div className="card" style={{ height: 130 }} />}>
        {config !== undefined && (
          <UploadArea config={config.uploads} defaultLanguage={config.default_language} />
        )}
      </Suspense>
      <section aria-label="Your files">
        <Title order={2} mb="md">
          Your files
        </Title>
        <FileList onAdd={chooseFiles} />
      </section>
    </Stack>
  );
}
