import { Box, Button } from "@mantine/core";
import { IconLanguage } from "../../platform/theme/icons";
import { otherLocales, useSwitchLocale } from "./otherLocales";
import { useSession } from "./session";

/** For pages without the menu of the account. */
export function LocaleSwitch() {
  const change = useSwitchLocale();
  const { user } = useSession();
  return otherLocales(user != null).map(({ value, label }) => (
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
      <Box component="span" ml={4} hiddenFrom="xs">
        {value.toUpperCase()}
      </Box>
    </Button>
  ));
}
