import type { t } from "../en/rights";
import type { Translation } from "../messages";

export default {
  file: "Þú mátt skoða þessa skrá en ekki breyta henni. Spilun, afritun og niðurhal virka eins og venjulega. Til að breyta skaltu biðja eiganda teymisins að gera þig að ritstjóra.",
  texts: "Aðeins eigendur og ritstjórar teymisins skrifa þessa texta og breyta þeim.",
  selection:
    "{count, plural, one {Þú mátt skoða # þessara skráa en ekki breyta henni} other {Þú mátt skoða # þessara skráa en ekki breyta þeim}}. Til að merkja eða eyða skrám skaltu aðeins velja þær sem þú mátt breyta.",
  support: "Þú mátt aðeins skoða þar til þú leyfir breytingar í þessum reikningi.",
  uploads:
    "Þú mátt skoða skrár teymisins {team} en ekki bæta við þær. Til að hlaða upp skaltu biðja eiganda teymisins að gera þig að ritstjóra, eða skipta um fyrir hvern þú vinnur í valmyndinni efst á síðunni.",
  projects:
    "Þú mátt skoða verkefni teymisins {team} en ekki bæta við þau. Til að búa til verkefni skaltu biðja eiganda teymisins að gera þig að ritstjóra.",
  tags: "Þú mátt nota merkin sem eru hér. Til að búa til merki skaltu biðja eiganda teymisins {team} að gera þig að ritstjóra.",
  glossary:
    "Þú mátt skoða orð teymisins {team} en ekki bæta við þau. Það sem þú bætir við hér er aðeins þitt. Til að bæta við orðum fyrir teymið skaltu biðja eiganda þess að gera þig að ritstjóra.",
  bin: "Skrár teyma þar sem þú mátt aðeins skoða sjást ekki hér: ritstjórar þeirra og eigendur endurheimta þær.",
  noTexts: "Engir textar enn",
  textsAppear:
    "Þegar ritstjóri teymisins skrifar samantekt eða annan texta um þessa skrá geturðu lesið hann hér.",
  draft:
    "Þú mátt ekki lengur breyta þessari skrá, svo að ekki er hægt að vista textann þinn. Hann er áfram í þessum vafra og þú getur afritað hann. Til að vista hann skaltu biðja eiganda teymisins að gera þig að ritstjóra.",
} satisfies Translation<typeof t>;
