import { Button, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { IconDownload } from "../../../platform/theme/icons";
import styles from "./list.module.css";

interface Props {
  title: string;
  /** How many entries match, in words. */
  count?: string;
  /** The address of the list as CSV. */
  csv?: string;
  children?: ReactNode;
}

/** The top of an admin list: its name, how much it holds, CSV and what one can add. */
export function AdminHead({ title, count, csv, children }: Props) {
  return (
    <header className={styles.head}>
      <div>
        <Title order={1}>{title}</Title>
        <p className="quiet" role="status">
          {count ?? " "}
        </p>
      </div>
      <div className={styles.tools}>
        {csv !== undefined && (
          <Button
            variant="default"
            component="a"
            href={csv}
            download
            leftSection={<IconDownload size={17} />}
          >
            CSV
          </Button>
        )}
        {children}
      </div>
    </header>
  );
}
