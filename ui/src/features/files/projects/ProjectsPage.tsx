import { Button, Group, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense } from "react";
import { Link, useNavigate } from "react-router";
import { t } from "../../../platform/messages/files";
import { t as tLibrary } from "../../../platform/messages/library";
import { EmptyState } from "../../../platform/page/EmptyState";
import { usePageTitle } from "../../../platform/page/usePageTitle";
import { IconFolder, IconPlus } from "../../../platform/theme/icons";
import { isSearchable } from "../../search/data";
import { useTagActions, useTags } from "../../tags/data";
import { TagForm } from "../../tags/TagForm";
import { useMayAdd } from "../../../domain/teams/workspace";
import { useFileSearch } from "../browser/FileBrowser";
import { SearchBox } from "../browser/FileTools";
import { LookOnlyLater } from "../../../domain/teams/LookOnlyLater";
import { ProjectSection } from "./ProjectSection";
import { SelectionContext, useNewSelection } from "../browser/selection";
import { SelectionBar } from "../browser/SelectionBar";
import styles from "./projects.module.css";
import { part } from "../../../platform/failure/Later";

const SearchResults = part(() => import("../../search/SearchResults"));

/** Files grouped by tag. A project is a tag: a file may be in several, and those in none come last. */
export default function ProjectsPage() {
  usePageTitle(tLibrary("projects"));
  const navigate = useNavigate();
  const { tags, isLoading } = useTags();
  const mayAdd = useMayAdd();
  const { create } = useTagActions();
  const [creating, form] = useDisclosure();
  const { search, show } = useFileSearch();
  const selection = useNewSelection();
  return (
    <SelectionContext value={selection}>
      <Group justify="space-between" mb="lg">
        <Title order={1}>{tLibrary("projects")}</Title>
        <Group gap="xs">
          <Button
            component={Link}
            to="/dashboard"
            variant="default"
            leftSection={<IconFolder size={17} />}
          >
            {tLibrary("allFiles")}
          </Button>
          {mayAdd && (
            <Button leftSection={<IconPlus size={17} />} onClick={form.open}>
              {tLibrary("newProject")}
            </Button>
          )}
        </Group>
      </Group>
      {!mayAdd && tags.length > 0 && <LookOnlyLater about="projects" />}
      <search className={styles.search}>
        <SearchBox value={search.q} onSearch={(q) => show({ q })} />
      </search>
      {isSearchable(search.q) ? (
        <Suspense fallback={<EmptyState />}>
          <SearchResults
            keyword={search.q}
            page={search.page}
            onPage={(page) => show({ page })}
            onClear={() => show({ q: "" })}
          />
        </Suspense>
      ) : isLoading ? (
        <EmptyState />
      ) : (
        <>
          {tags.length === 0 && (
            <EmptyState
              loading={false}
              title={tLibrary("project.none")}
              description={
                mayAdd ? tLibrary("project.noneAbout") : <LookOnlyLater about="projects" />
              }
              hero="searching"
              add={
                mayAdd
                  ? { label: tLibrary("project.create"), contentType: "project", onAdd: form.open }
                  : undefined
              }
            />
          )}
          {tags.map((tag) => (
            <ProjectSection key={tag.slug} tag={tag} />
          ))}
          <ProjectSection
            tag={null}
            onUpload={mayAdd ? () => void navigate("/dashboard") : undefined}
          />
        </>
      )}
      {creating && mayAdd && (
        <TagForm
          title={tLibrary("newProject")}
          label={t("name")}
          button={tLibrary("create")}
          onSave={async (name, colour) => (await create(name, colour)) !== null}
          onClose={form.close}
        />
      )}
      <SelectionBar />
    </SelectionContext>
  );
}
