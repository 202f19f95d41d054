import { Button, Text, Title } from "@mantine/core";
import { Link, useLocation } from "react-router";
import { FourOhFour } from "./FourOhFour";
import { usePageTitle } from "./usePageTitle";
import styles from "./error.module.css";

export const notFoundMessage = (path: string): string => `Page not found: ${path}`;

/** The "404" layout: only the message and a link back. */
export function NotFoundPage() {
  usePageTitle("Page not found");
  const { pathname } = useLocation();
  return (
    <main className={styles.errorPage}>
      <Link to="/dashboard" aria-label="Go to your uploads" className={styles.errorHero}>
        <FourOhFour />
      </Link>
      <Title order={1}>{notFoundMessage(pathname)}</Title>
      <Text className="quiet">Check the address. The file may also have been deleted.</Text>
      <Button component={Link} to="/dashboard" mt="md">
        Go to your uploads
      </Button>
    </main>
  );
}
