import { is } from "make-plural/plurals";

/** What Uppy says about files and the connection, in Icelandic; its own catalogue is English. */
export const ICELANDIC_UPLOADER = {
  pluralize: (count: number) => (is(count) === "one" ? 0 : 1),
  strings: {
    youCanOnlyUploadX: {
      0: "Aðeins er hægt að hlaða upp %{smart_count} skrá í einu",
      1: "Aðeins er hægt að hlaða upp %{smart_count} skrám í einu",
    },
    youCanOnlyUploadFileTypes: "Aðeins er hægt að hlaða upp mynd- og hljóðskrám",
    noMoreFilesAllowed: "Ekki er hægt að bæta við fleiri skrám",
    noDuplicates: "Skráin „%{fileName}“ er þegar á listanum",
    failedToUpload: "Ekki tókst að hlaða upp %{file}",
    noInternetConnection: "Engin nettenging",
    connectedToInternet: "Nettenging komin á",
  },
};
