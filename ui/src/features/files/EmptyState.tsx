import { Button, Stack, Text, Title } from "@mantine/core";

interface Props {
  loading?: boolean;
  title: string;
  description: string;
  action?: { label: string; onClick: () => void };
}

/** A list without content: first that it is loading, then what belongs there and how to begin. */
export function EmptyState({ loading = true, title, description, action }: Props) {
  return (
    <Stack align="center" gap="xs" py={48} role="status">
      <svg width={loading ? 300 : 220} height="90" viewBox="0 0 220 90" aria-hidden="true">
        {[18, 40, 66, 44, 80, 52, 30, 60, 24].map((height, index) => (
          <rect
            key={index}
            x={20 + index * 20}
            y={45 - height / 2}
            width="9"
            height={height}
            rx="4.5"
            fill={index === 4 ? "#f2b872" : "var(--line)"}
          />
        ))}
      </svg>
      <Title order={2}>{loading ? "Loading" : title}</Title>
      <Text className="quiet" ta="center" maw={440}>
        {loading ? "Content is being fetched and loaded" : description}
      </Text>
      {!loading && action !== undefined && (
        <Button miw={245} mt="sm" onClick={action.onClick}>
          {action.label}
        </Button>
      )}
    </Stack>
  );
}
