// Runs before each page's own code and collects what the browser measures.
window.probes = { longTasks: [], keys: new Map(), lcp: 0 };
const watch = (type, take, more = {}) =>
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
    type,
    buffered: true,
    ...more,
  });
watch("longtask", (task) => window.probes.longTasks.push([task.startTime, task.duration]));
watch("largest-contentful-paint", (paint) => (window.probes.lcp = paint.startTime));
// Events below 16 ms are not reported; interactions without an entry took less.
watch(
  "event",
  (event) => {
    if (event.interactionId === 0 || !event.name.startsWith("key")) return;
    const longest = window.probes.keys.get(event.interactionId) ?? 0;
    window.probes.keys.set(event.interactionId, Math.max(longest, event.duration));
  },
  { durationThreshold: 16 },
);
// Times of frames, and the most rows and elements at any of them, until `stop`.
window.frames_of = (rowsSelector, boxSelector) => {
  const seen = { times: [], rows: 0, elements: 0, running: true };
  const frame = (time) => {
    seen.times.push(time);
    if (seen.times.length % 10 === 1) {
      seen.rows = Math.max(seen.rows, document.querySelectorAll(rowsSelector).length);
      const box = document.querySelector(boxSelector);
      seen.elements = Math.max(seen.elements, box?.querySelectorAll("*").length ?? 0);
    }
    if (seen.running) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.probes.frames = seen;
};
