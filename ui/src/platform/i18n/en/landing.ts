import { messages } from "../messages";

export const t = messages("landing", {
  readItWhileItIs: "Read it while it is transcribed",
  linesAppearAsTheyAre:
    "Lines appear as they are recognized, with the time of every word. Doubtful words are underlined.",
  uploadsThatSurviveABad: "Uploads that survive a bad connection",
  closeTheLaptopOrLose:
    "Close the laptop or lose the network: an upload resumes where it stopped, and nothing is sent twice.",
  translationsThatStayInStep: "Translations that stay in step",
  translateIntoSeveralLanguagesEdit:
    "Translate into several languages, edit side by side, and see which lines the original has outgrown.",
  minutesThatCiteTheirSource: "Minutes that cite their source",
  minutesSummariesAndBlogPosts:
    "Minutes, summaries and blog posts link each sentence to the moment when it was said.",
  whoSaidWhat: "Who said what",
  speakersAreToldApartNamed:
    "Speakers are told apart, named once and shown in captions, texts and exports.",
  madeForTeams: "Made for teams",
  shareFilesTagsAndTerms:
    "Share files, tags and terms with colleagues, and decide who may edit and who may only look.",
  transcribeCorrectAndSubtitle: "Transcribe, correct and subtitle",
  account: "Account",
  signIn: "Sign in",
  captionsPeopleCanRelyOn: "Captions people can rely on",
  uploadVideoOrAudioWatch:
    "Upload video or audio, watch it being transcribed, correct and translate the captions, and export the video with subtitles.",
  createAnAccount: "Create an account",
  whatYouCanDo: "What you can do",
  plans: "Plans",
  everyPlanHasEveryFunction:
    "Every plan has every function. They differ in minutes, storage, people and how soon work starts.",
  howOftenToPay: "How often to pay",
  monthly: "Monthly",
  yearlySaveSaving: "Yearly, save {saving}%",
  yearly: "Yearly",
  priceminuteForEachExtraMinute: "{priceMinute} for each extra minute",
  start: "Start",
  withPlanlabel: "with {planLabel}",
});
