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
  closed:
    "{count, plural, one {Your last change} other {Your last # changes}} could not be saved: {reason} Download the text to keep it.",
  download: "Download my text",
  mediaAway: "The recording can be played again once the server can be reached.",
  fileName: "unsaved text",
});
