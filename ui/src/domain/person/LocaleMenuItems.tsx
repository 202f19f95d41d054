import { Menu } from "@mantine/core";
import { IconLanguage } from "../../platform/theme/icons";
import { OTHER_LOCALES, useSwitchLocale } from "./otherLocales";

/** The other languages in the menu of the account. */
export function LocaleMenuItems() {
  const change = useSwitchLocale();
  return OTHER_LOCALES.map(({ value, label }) => (
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
