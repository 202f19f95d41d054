import { Button, Text } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../platform/messages/exports";
import { usePanels } from "../editor/panels/usePanels";
import { trackPath } from "../../domain/captions/trackPath";
import { useLanguages } from "../../domain/languages/languages";
import type { OpenFindings } from "./data";
import styles from "./exports.module.css";

interface Props {
  findings: OpenFindings;
  slug: string;
  language: string;
  onLeave: () => void;
}

/** Why captions that must be clean are not exported, with the way to what is open. */
export function NotClean({ findings, slug, language, onLeave }: Props) {
  const panels = usePanels();
  const { label } = useLanguages();
  const isHere = findings.language === language;
  return (
    <section className={styles.missingGlyphs} role="alert" data-testid="not-clean">
      <Text size="sm">{findings.sentence}</Text>
      {isHere ? (
        <Button
          mt="md"
          autoFocus
          onClick={() => {
            onLeave();
            panels.open("quality");
          }}
        >
          {t("openQuality")}
        </Button>
      ) : (
        <Button
          mt="md"
          autoFocus
          component={Link}
          to={trackPath(slug, findings.language)}
          onClick={() => {
            onLeave();
            panels.open("quality");
          }}
        >
          {t("openQualityOf", { language: label(findings.language) })}
        </Button>
      )}
    </section>
  );
}
