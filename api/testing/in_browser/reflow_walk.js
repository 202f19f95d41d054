(limits) => {
  const visible = (one) =>
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    one.getClientRects().length > 0 &&
    !one.closest("[inert],[aria-hidden=true],.visually-hidden");
  const name = (one) => {
    const words = one.getAttribute("aria-label") || one.innerText || one.getAttribute("placeholder");
    return `${one.tagName.toLowerCase()} "${String(words ?? one.id).trim().replace(/\s+/g, " ").slice(0, 50)}"`;
  };
  const faults = [];

  // WCAG 1.4.10: nothing makes the page wider than the window, and nothing lies beside it.
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide)
    faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
  const scrolls = (box) => /auto|scroll/.test(getComputedStyle(box).overflowX);
  const inScroller = (box) =>
    box.parentElement !== null && (scrolls(box.parentElement) || inScroller(box.parentElement));
  const CONTROLS = "button, a[href], input:not([type=hidden]), select, textarea, [role=button], [role=menuitem]";
  const controls = [...document.querySelectorAll(CONTROLS)].filter(visible);
  for (const one of [...controls, ...document.querySelectorAll("h1, h2, h3, label, p")]) {
    const { left, right, width } = one.getBoundingClientRect();
    if (!visible(one) || width < 2 || right <= 0 || inScroller(one)) continue;
    if (right > wide + 1 || left < -1) faults.push(`beside the window: ${name(one)}`);
  }

  // Text that a box cuts off. An ellipsis says that there is more.
  const clips = (style, axis) => /hidden|clip/.test(style[axis]);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const cut = new Set();
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (text.data.trim() === "" || !visible(parent) || parent.closest("option, script, style, textarea")) continue;
    range.selectNodeContents(text);
    const { left, right, top, bottom, width } = range.getBoundingClientRect();
    if (width < 2) continue;
    for (let box = parent; box !== null && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none") break;
      if (scrolls(box) || /auto|scroll/.test(style.overflowY)) break;
      const edge = box.getBoundingClientRect();
      if (edge.width < 2 || edge.height < 2) break;
      const sideways = clips(style, "overflowX") && (right > edge.right + 1.5 || left < edge.left - 1.5);
      const upright = clips(style, "overflowY") && (bottom > edge.bottom + 3 || top < edge.top - 3);
      if ((sideways || upright) && box.tagName !== "HTML") cut.add(parent);
      if (style.position === "fixed") break;
    }
  }
  const pen = document.createElement("canvas").getContext("2d");
  for (const one of document.querySelectorAll("select")) {
    if (!visible(one)) continue;
    const style = getComputedStyle(one);
    pen.font = style.font;
    pen.letterSpacing = style.letterSpacing === "normal" ? "0px" : style.letterSpacing;
    const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (pen.measureText(one.selectedOptions[0]?.text ?? "").width > room + 2) cut.add(one);
  }
  faults.push(...[...cut].map((one) => `cut off: ${name(one)}`));

  // WCAG 2.5.8: 24 by 24 pixels, or as much room around. Links in running text are free of it.
  if (limits.target > 0) {
    const boxOf = (one) =>
      [one, ...(one.labels ?? [])].map((each) => each.getBoundingClientRect()).reduce((a, b) => ({
        left: Math.min(a.left, b.left),
        right: Math.max(a.right, b.right),
        top: Math.min(a.top, b.top),
        bottom: Math.max(a.bottom, b.bottom),
      }));
    const isInText = (one) => {
      const inline = getComputedStyle(one).display === "inline";
      return inline && one.parentElement.innerText.trim().length > one.innerText.trim().length;
    };
    const targets = controls.filter((one) => getComputedStyle(one).pointerEvents !== "none").map((one) => [one, boxOf(one)]);
    const small = ([, box]) =>
      box.right - box.left < limits.target - 0.5 || box.bottom - box.top < limits.target - 0.5;
    const middle = (box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    for (const target of targets.filter(small)) {
      const [one, box] = target;
      const size = [box.right - box.left, box.bottom - box.top];
      if (Math.max(...size) < 2 || isInText(one)) continue;
      const [x, y] = middle(box);
      const radius = limits.target / 2;
      const close = targets.some(([other, its]) => {
        if (other === one || other.contains(one) || one.contains(other)) return false;
        const [dx, dy] = [
          Math.max(its.left - x, 0, x - its.right),
          Math.max(its.top - y, 0, y - its.bottom),
        ];
        if (Math.hypot(dx, dy) < radius) return true;
        const [ox, oy] = middle(its);
        return small([other, its]) && Math.hypot(ox - x, oy - y) < limits.target;
      });
      if (close) faults.push(`target of ${size.map(Math.round).join(" by ")}: ${name(one)}`);
    }
  }

  // Where somebody wants no motion, nothing keeps moving.
  if (matchMedia("(prefers-reduced-motion: reduce)").matches)
    for (const one of document.getAnimations())
      if (one.playState === "running" && one.effect?.getComputedTiming().iterations === Infinity)
        faults.push(`keeps moving: ${one.animationName ?? "?"} of ${name(one.effect.target)}`);
  return [...new Set(faults)].slice(0, 12);
}
