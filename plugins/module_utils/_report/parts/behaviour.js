// Brings the first failure into view, and shows what a node waits for and what waits for it. Without this script the page
// lacks nothing else.
(() => {
  const graph = document.querySelector(".graph");
  if (!graph) return;
  const boxes = [...graph.querySelectorAll(".box")];
  const lines = [...graph.querySelectorAll(".line")];
  const failure = graph.querySelector(".box.bad");
  if (failure) {
    const frame = graph.parentElement;
    frame.scrollLeft = failure.getBoundingClientRect().x - frame.getBoundingClientRect().x - frame.clientWidth / 2;
  }
  const reach = (start, from, to) => {
    const found = new Set([start]);
    const open = [start];
    while (open.length) {
      const node = open.pop();
      for (const line of lines) {
        if (line.dataset[from] === node && !found.has(line.dataset[to])) {
          found.add(line.dataset[to]);
          open.push(line.dataset[to]);
        }
      }
    }
    return found;
  };
  const choose = (box) => {
    const node = box.dataset.node;
    const before = reach(node, "after", "before");
    const after = reach(node, "before", "after");
    graph.classList.add("chosen");
    for (const other of boxes) other.classList.toggle("near", before.has(other.dataset.node) || after.has(other.dataset.node));
    for (const line of lines) {
      const { before: first, after: last } = line.dataset;
      line.classList.toggle("near", (before.has(first) && before.has(last)) || (after.has(first) && after.has(last)));
    }
  };
  const leave = () => graph.classList.remove("chosen");
  for (const box of boxes) {
    box.addEventListener("mouseenter", () => choose(box));
    box.addEventListener("mouseleave", leave);
    box.addEventListener("focusin", () => choose(box));
    box.addEventListener("focusout", leave);
  }
})();
