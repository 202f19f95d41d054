import { Button, Group, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense } from "react";
import { Link, useNavigate } from "react-router";
import { t } from "../../platform/messages/files";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { t as tFind } from "../../platform/messages/library";
import { IconReplace, IconTrash, IconUpload } from "../../platform/theme/icons";
import { useMayAdd, useWorkspace } from "../../domain/teams/workspace";
import { FileBrowser } from "./browser/FileBrowser";
import { part } from "../../platform/failure/Later";

const ReplaceDialog = part(() => import("../captions/find/ReplaceDialog"));

export default function FilesPage() {
  usePageTitle(t("files"));
  const navigate = useNavigate();
  const [replacing, dialog] = useDisclosure();
  const mayAdd = useMayAdd();
  return (
    <>
      <Group justify="space-between" mb="lg">
        <Title order={1}>{t("files")}</Title>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconReplace size={17} />}
            data-testid="replace-in-files"
            onClick={dialog.open}
          >
            {tFind("find.inFiles")}
          </Button>
          <Button
            component={Link}
            to="/bin"
            variant="default"
            leftSection={<IconTrash size={17} />}
          >
            {t("bin")}
          </Button>
          {mayAdd && (
            <Button component={Link} to="/dashboard" leftSection={<IconUpload size={17} />}>
              {t("upload")}
            </Button>
          )}
        </Group>
      </Group>
      <Suspense fallback={null}>{replacing && <ReplaceDialog onClose={dialog.close} />}</Suspense>
      <FileBrowser key={useWorkspace()} onAdd={() => void navigate("/dashboard")} />
    </>
  );
}
