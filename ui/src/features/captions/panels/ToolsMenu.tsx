import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { memo } from "react";
import { t } from "../../../platform/messages/editor";
import { IconCheck, IconTools } from "../../../platform/theme/icons";
import { CommandKey } from "../../editor/keys/CommandKey";
import { PANELS } from "./registry";
import { usePanels } from "../../editor/panels/usePanels";

/** The menu of the tools that open beside the lines. */
export const ToolsMenu = memo(function ToolsMenu() {
  const { current, toggle } = usePanels();
  return (
    <Menu position="bottom-end" width={250} returnFocus>
      <Tooltip label={t("panels.tools")}>
        <Menu.Target>
          <ActionIcon
            size="lg"
            aria-label={t("panels.tools")}
            data-testid="tools"
            variant={current === null ? "subtle" : "light"}
          >
            <IconTools size={19} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        {PANELS.map(({ id, label, icon: Icon }) => (
          <Menu.Item
            key={id}
            data-testid={`tool-${id}`}
            leftSection={<Icon size={16} />}
            rightSection={
              current?.id === id ? (
                <IconCheck size={15} aria-label={t("panels.open")} />
              ) : (
                <CommandKey command={`panel.${id}`} />
              )
            }
            onClick={() => toggle(id)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
