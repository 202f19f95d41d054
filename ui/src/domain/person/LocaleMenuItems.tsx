import { Menu } from "@mantine/core";
import { IconLanguage } from "../../platform/theme/icons";
import { otherLocales, useSwitchLocale } from "./otherLocales";

/** The other languages in the menu of the account. */
export function LocaleMenuItems() {
  const change = useSwitchLocale();
  return otherLocales(true).map(({ value, label }) => (
    <Menu.Item
      key={value}
      lang={value}
      leftSection={<IconLanguage size={16} />}
      data-testid={`locale-${value}`}
      onClick={() => change(value)}
    >
      {label}
    </Menu.Item>
  ));
}
