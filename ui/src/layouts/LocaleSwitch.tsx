import { Button } from "@mantine/core";
import { IconLanguage } from "../theme/icons";
import { OTHER_LOCALES, useSwitchLocale } from "./otherLocales";

/** For pages without the menu of the account. */
export function LocaleSwitch() {
  const change = useSwitchLocale();
  return OTHER_LOCALES.map(({ value, label }) => (
    <Button
      key={value}
      variant="subtle"
      lang={value}
      leftSection={<IconLanguage size={18} />}
      data-testid={`locale-${value}`}
      onClick={() => change(value)}
    >
      {label}
    </Button>
  ));
}
