import { Group, Text } from "@mantine/core";
import { Link } from "react-router";

export function Brand() {
  return (
    <Link to="/dashboard" aria-label="Sagascript, to your uploads" className="brand">
      <Group gap={10} wrap="nowrap">
        <img src="/logo.svg" width={30} height={30} alt="" />
        <Text fw={650} size="lg" visibleFrom="xs">
          Sagascript
        </Text>
      </Group>
    </Link>
  );
}
