import type { t } from "../en/keys";
import type { Translation } from "../messages";

export default {
  title: "Flýtilyklar",
  search: "Leita að aðgerð eða lykli",
  singleLetters: "Stakir stafir virka",
  resetAll: "Endurstilla alla lykla",
  reset: "Endurstilla",
  resetOne: "Endurstilla lykil aðgerðarinnar „{name}“",
  hint: "Smelltu á lykil til að skipta um hann; Backspace fjarlægir hann. Sláðu inn tölu í listanum til að fara í þá línu.",
  none: "Engin aðgerð eða lykill inniheldur „{query}“.",
  action: "Aðgerð",
  inList: "Í listanum",
  whileTyping: "Við innslátt",
  playback: "Spilun",
  lines: "Línur",
  timing: "Tímasetning",
  editing: "Ritvinnsla",
  tools: "Verkfæri",
  press: "Ýttu á lykil",
  noKey: "enginn",
  changeKey: "{name}, {place}: {key}. Breyta lyklinum",
  taken: "{key} er þegar „{name}“. Veldu annan lykil eða breyttu hinum fyrst.",
  reserved: "{key} tilheyrir vafranum eða ferðum um síðuna. Veldu annan lykil.",
  writes: "{key} myndi skrifa í textann. Veldu lykil með Ctrl eða Alt.",
  keySpace: "Bilslá",
  keyDelete: "Del",
} satisfies Translation<typeof t>;
