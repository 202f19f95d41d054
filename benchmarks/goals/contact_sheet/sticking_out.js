() => {
  const wide = document.documentElement.clientWidth;
  const found = [];
  const scrolls = (box) => /auto|scroll/.test(getComputedStyle(box).overflowX);
  const isInScroller = (box) =>
    box.parentElement !== null && (scrolls(box.parentElement) || isInScroller(box.parentElement));
  if (document.documentElement.scrollWidth > wide)
    found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const box of document.querySelectorAll("button, a, input, textarea, select, h1, h2, label")) {
    const { left, right, width } = box.getBoundingClientRect();
    const isShown = width > 0 && right > 0 && getComputedStyle(box).visibility !== "hidden";
    if (!isShown || (right <= wide + 1 && left >= -1) || isInScroller(box)) continue;
    const name = (box.ariaLabel ?? box.textContent ?? "").trim().slice(0, 40);
    found.push(`${box.tagName} "${name}" lies from ${Math.round(left)} to ${Math.round(right)}`);
  }
  return found.slice(0, 6);
}
