import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { t } from "../messages/shell";
import { IconMoon, IconSun } from "../theme/icons";

export function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const other = scheme === "dark" ? "light" : "dark";
  const label = t(other === "dark" ? "toDark" : "toLight");
  return (
    <ActionIcon size="lg" aria-label={label} title={label} onClick={() => setColorScheme(other)}>
      {scheme === "dark" ? <IconSun size={19} /> : <IconMoon size={19} />}
    </ActionIcon>
  );
}
