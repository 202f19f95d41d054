import { Anchor, Stack, Text, Title } from "@mantine/core";
import { Link, useLocation } from "react-router";
import { usePageTitle } from "./usePageTitle";

export const notFoundMessage = (path: string): string => `Page not found: ${path}`;

export function NotFoundPage() {
  usePageTitle("Page not found");
  const { pathname } = useLocation();
  return (
    <Stack align="center" gap="md" py={80} component="main">
      <Link to="/dashboard" aria-label="To your uploads">
        <FourOhFour />
      </Link>
      <Title order={1} size="h2">
        {notFoundMessage(pathname)}
      </Title>
      <Text className="quiet">The address may be mistyped, or the file was deleted.</Text>
      <Anchor component={Link} to="/dashboard">
        To your uploads
      </Anchor>
    </Stack>
  );
}

export function FourOhFour() {
  return (
    <svg width="280" height="120" viewBox="0 0 280 120" aria-hidden="true">
      <text
        x="20"
        y="98"
        fontSize="110"
        fontWeight="700"
        fill="currentColor"
        fontFamily="system-ui"
      >
        4
      </text>
      {[30, 62, 96, 70, 40].map((height, index) => (
        <rect
          key={index}
          x={104 + index * 15}
          y={60 - height / 2}
          width="8"
          height={height}
          rx="4"
          fill={index === 2 ? "#f2b872" : "#459f94"}
        />
      ))}
      <text
        x="190"
        y="98"
        fontSize="110"
        fontWeight="700"
        fill="currentColor"
        fontFamily="system-ui"
      >
        4
      </text>
    </svg>
  );
}
