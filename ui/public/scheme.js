// Sets the colours before the first paint; a script of its own because pages run no inline scripts.
(function () {
  var held = null;
  try {
    held = localStorage.getItem("mantine-color-scheme-value");
  } catch {
    // Storage may be turned off: then the system decides.
  }
  var dark =
    held === "dark" || (held !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
