import { messages } from "../messages";

/** The editor without a connection, and what this browser keeps. */
export const t = messages("offline", {
  away: "The server cannot be reached. You can go on editing: what you change waits in this browser and is saved as soon as there is a connection. Playing, exporting and most tools need it.",
  waiting: "{count, plural, one {# change waits} other {# changes wait}}",
  locked:
    "The server cannot be reached. Somebody may have changed these captions since, so they can be edited once there is a connection. Your own changes are kept.",
  full: "This browser has no room left to keep your changes. Leave this page open until they are saved, and delete stored data of other sites.",
  unavailable:
    "This browser keeps nothing, as private windows often do. Leave this page open until your changes are saved.",
  gone: "{count, plural, =0 {These captions cannot be changed any more: {reason}} one {Your last change could not be saved: {reason} Copy or download the text to keep it.} other {Your last # changes could not be saved: {reason} Copy or download the text to keep it.}}",
  lookOnly:
    "{count, plural, one {Your last change} other {Your last # changes}} could not be saved, because you may only look at these captions now. Copy or download the text to keep it, or ask an owner of the team to make you an editor again.",
  download: "Download my text",
  copy: "Copy my text",
  copied: "Your text is copied.",
  notCopied: "This browser did not let the page copy. Download the text instead.",
  discard: "Discard",
  sureToDiscard: "Discard what you wrote here for good?",
  keep: "Keep it",
  left: "This browser keeps {count, plural, one {a change} other {# changes}} of yours that could not be saved here. Copy or download the text. If the captions come back, the changes are saved then.",
  mediaAway: "The recording can be played again once the server can be reached.",
  fileName: "unsaved text",
});
