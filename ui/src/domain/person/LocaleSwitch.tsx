import { Box, Button } from "@mantine/core";
import { IconLanguage } from "../../platform/theme/icons";
import { OTHER_LOCALES, useSwitchLocale } from "./otherLocales";

/** For pages without the menu of the account. */
export function LocaleSwitch() {
  const change = useSwitchLocale();
  return OTHER_LOCALES.map(({ value, label }) => (
    <Button
      key={value}
      variant="subtle"
      lang={value}
      aria-label={label}
      data-testid={`locale-${value}`}
      onClick={() => change(value)}
    >
      <IconLanguage size={18} />
      <Box component="span" ml={6} visibleFrom="xs">
        {label}
      </Box>
    </Button>
  ));
}
