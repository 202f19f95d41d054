import type { t } from "../en/landing";
import type { Translation } from "../messages";

export default {
  readItWhileItIs: "Lestu á meðan skrifað er upp",
  linesAppearAsTheyAre:
    "Línur birtast um leið og þær eru greindar, með tíma hvers orðs. Vafasöm orð eru undirstrikuð.",
  uploadsThatSurviveABad: "Upphleðsla sem lifir af slæmt samband",
  closeTheLaptopOrLose:
    "Lokaðu tölvunni eða misstu sambandið: upphleðslan heldur áfram þar sem hún stöðvaðist og ekkert er sent tvisvar.",
  translationsThatStayInStep: "Þýðingar sem fylgja frumtextanum",
  translateIntoSeveralLanguagesEdit:
    "Þýddu á nokkur tungumál, lagfærðu hlið við hlið og sjáðu hvaða línur eru orðnar úreltar.",
  minutesThatCiteTheirSource: "Fundargerðir sem vísa í heimildir",
  minutesSummariesAndBlogPosts:
    "Fundargerðir, samantektir og bloggfærslur tengja hverja setningu við augnablikið þegar hún var sögð.",
  whoSaidWhat: "Hver sagði hvað",
  speakersAreToldApartNamed:
    "Talendur eru greindir í sundur, nefndir einu sinni og sýndir í skjátextum, textum og útflutningi.",
  madeForTeams: "Gert fyrir teymi",
  shareFilesTagsAndTerms:
    "Deildu skrám, merkjum og hugtökum með samstarfsfólki og ákveddu hver má breyta og hver má aðeins skoða.",
  transcribeCorrectAndSubtitle: "Skrifa upp, leiðrétta og texta",
  account: "Aðgangur",
  signIn: "Skrá inn",
  captionsPeopleCanRelyOn: "Skjátextar sem fólk getur treyst",
  uploadVideoOrAudioWatch:
    "Hladdu upp myndskeiði eða hljóði, fylgstu með uppskriftinni, leiðréttu og þýddu skjátextana og flyttu myndskeiðið út með texta.",
  createAnAccount: "Stofna aðgang",
  whatYouCanDo: "Það sem þú getur gert",
  plans: "Áskriftarleiðir",
  everyPlanHasEveryFunction:
    "Allar leiðir hafa alla eiginleika. Þær eru ólíkar í mínútum, geymslurými, fjölda fólks og því hve fljótt vinnan hefst.",
  howOftenToPay: "Hversu oft á að greiða",
  monthly: "Mánaðarlega",
  yearlySaveSaving: "Árlega, sparar {saving}%",
  yearly: "Árlega",
  priceminuteForEachExtraMinute: "{priceMinute} fyrir hverja aukamínútu",
  start: "Byrja",
  withPlanlabel: "með {planLabel}",
} satisfies Translation<typeof t>;
