import { Kbd, Modal, Table } from "@mantine/core";

const KEYS: [string, string, string][] = [
  ["Play or pause", "Space", "Ctrl+Space"],
  ["Back, forward 1 s", "← →", "Shift+Alt+J, L"],
  ["Previous, next line", "↑ ↓", ""],
  ["Play this line", "P", "Shift+Alt+P"],
  ["Split at the cursor", "", "Ctrl+Enter"],
  ["Merge with next", "M", "Shift+Alt+M"],
  ["Add a line below", "", "Shift+Alt+A"],
  ["Undo, redo", "Ctrl+Z, Ctrl+Shift+Z", ""],
  ["Forget what was typed", "", "Esc"],
  ["This overview", "?", ""],
];

export function KeysHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keys" centered size="lg">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Action</Table.Th>
            <Table.Th>In the list</Table.Th>
            <Table.Th>While typing</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {KEYS.map(([action, list, typing]) => (
            <Table.Tr key={action}>
              <Table.Td>{action}</Table.Td>
              <Table.Td>{list !== "" && <Kbd>{list}</Kbd>}</Table.Td>
              <Table.Td>{typing !== "" && <Kbd>{typing}</Kbd>}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
