// The execution of a violation: a lane for each thread, time goes down. Only what can be seen is in the document, so that
// executions of any length are as fast as short ones.

const ROW = 30;
const RADIUS = 10;
/** Rows that are drawn above and below what can be seen. */
const SPARE = 40;

class Execution {
  /** `select` is called with the place of the node that was clicked. */
  constructor(bug, select) {
    this.bug = bug;
    this.select = select;
    this.selected = 0;
    this.past = new Set();
    this.gap = clamp(320 / bug.lanes.length, 28, 64);
    this.width = this.gap * bug.lanes.length + 8;
    this.digits = String(bug.nodes.length).length;
    this.oneFile = new Set(bug.nodes.map((node) => node.place?.file ?? 0)).size < 2;
    this.sortArrows();
    this.rows = el("div", { class: "rows", id: "steps", role: "listbox", tabindex: "0", "aria-label": "Steps" });
    this.rows.style.height = `${bug.nodes.length * ROW}px`;
    this.view = el("div", { class: "execution" }, this.head(), this.rows);
    this.view.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.view);
  }

  /** The arrows of each node, and the nodes directly before it: nothing looks at all arrows. */
  sortArrows() {
    const { nodes, arrows } = this.bug;
    this.before = nodes.map(() => []);
    this.arrows = nodes.map(() => []);
    for (const arrow of arrows) {
      const [from, to, link] = arrow;
      if (link === "causes") this.before[to].push(from);
      this.arrows[from].push(arrow);
      this.arrows[to].push(arrow);
    }
    const last = new Map();
    nodes.forEach((node, i) => {
      if (last.has(node.lane)) this.before[i].push(last.get(node.lane));
      last.set(node.lane, i);
    });
  }

  head() {
    const lanes = this.bug.lanes.map((lane, i) => {
      const head = el("span", { class: "lane-head", title: lane.name }, chip(i, lane.number, lane.name));
      if (this.gap >= 60 && lane.routine) head.append(el("small", {}, lane.routine));
      head.style.width = `${this.gap}px`;
      return head;
    });
    const names = el("div", { class: "lane-heads" }, lanes);
    names.style.width = `${this.width}px`;
    return el("div", { class: "execution-head" }, names, el("span", { class: "faint" }, "time goes down"));
  }

  /** Shows another node as the current one. */
  show(selected) {
    this.selected = selected;
    this.past = this.pastOf(selected);
    const { view } = this;
    const [top, head] = [selected * ROW, ROW * 2];
    if (top < view.scrollTop + ROW) view.scrollTop = top - ROW;
    else if (top + head + 2 * ROW > view.scrollTop + view.clientHeight) {
      view.scrollTop = top + head + 2 * ROW - view.clientHeight;
    }
    this.draw();
  }

  /** Everything that comes before a node in every order. */
  pastOf(node) {
    // What is wrong comes behind all.
    if (this.bug.nodes[node].wrong) return new Set(this.bug.nodes.keys());
    const past = new Set([node]);
    const pending = [node];
    while (pending.length > 0) {
      for (const before of this.before[pending.pop()]) {
        if (!past.has(before)) {
          past.add(before);
          pending.push(before);
        }
      }
    }
    return past;
  }

  draw() {
    const { view, bug } = this;
    const first = clamp(Math.floor(view.scrollTop / ROW) - SPARE, 0, bug.nodes.length);
    const last = clamp(Math.ceil((view.scrollTop + view.clientHeight) / ROW) + SPARE, 0, bug.nodes.length);
    const rows = [];
    for (let i = first; i < last; i++) rows.push(this.row(i));
    this.rows.replaceChildren(this.picture(first, last), ...rows);
    this.rows.setAttribute("aria-activedescendant", `step-${this.selected + 1}`);
  }

  /** Not yet there at the selected node. What is wrong is so at the same time. */
  isLater(i) {
    return i > this.selected && !this.bug.nodes[this.selected].wrong;
  }

  row(i) {
    const node = this.bug.nodes[i];
    const state = [node.wrong && "wrong", i === this.selected && "selected", this.isLater(i) && "later"];
    const row = el(
      "div",
      {
        class: ["row", ...state].filter(Boolean).join(" "),
        id: `step-${i + 1}`,
        role: "option",
        "aria-selected": i === this.selected ? "true" : "false",
        onclick: () => this.select(i),
      },
      el("span", { class: "count" }, node.wrong ? "✗" : String(i + 1)),
      el("span", { class: "what" }, rich(node.text)),
      node.place ? this.where(node.place) : null,
    );
    row.style.top = `${i * ROW}px`;
    row.style.paddingLeft = `${this.width}px`;
    row.style.setProperty("--digits", this.digits);
    return row;
  }

  /** The line, and the file if there are several. */
  where(place) {
    const file = el("span", { class: "file" }, this.oneFile ? "line " : baseName(place));
    return el("span", { class: "where", title: placeText(place) }, file, this.oneFile ? "" : ":", String(place.line));
  }

  x(lane) {
    return 4 + this.gap * (lane + 0.5);
  }

  /** Lanes, arrows and nodes of these rows. */
  picture(first, last) {
    const y = (node) => (node - first + 0.5) * ROW;
    const picture = svg("svg", { width: this.width, height: (last - first) * ROW, "aria-hidden": "true" });
    picture.style.top = `${first * ROW}px`;
    this.bug.lanes.forEach((lane, i) => {
      const [begin, end] = [Math.max(lane.life[0], first), Math.min(lane.life[1], last)];
      if (begin > end) return;
      const x = this.x(i);
      picture.append(svg("line", { class: `lane ${colour(i)}`, x1: x, y1: y(begin), x2: x, y2: y(end) }));
    });
    // (Of one that only passes by, both ends are far away.)
    const arrows = new Set(this.arrows.slice(first, last).flat());
    picture.append(...[...arrows].flatMap((arrow) => this.arrow(arrow, y)));
    for (let i = first; i < last; i++) picture.append(this.node(i, y(i)));
    return picture;
  }

  arrow([from, to, link], y) {
    const { nodes } = this.bug;
    const [x1, x2] = [this.x(nodes[from].lane), this.x(nodes[to].lane)];
    const marked = link === "causes" && to === this.selected ? " marked" : "";
    if (link !== "causes") {
      // Between things that are wrong at the same time: in a bow aside, one for each direction.
      const aside = from < to ? Math.max(x1, x2) + this.gap * 0.45 : Math.min(x1, x2) - this.gap * 0.45;
      const end = link === "races" ? 0 : Math.sign(aside - x2) * (RADIUS + 4);
      const path = svg("path", { class: link, d: `M${x1} ${y(from)}C${aside} ${y(from)} ${aside} ${y(to)} ${x2 + end} ${y(to)}` });
      return link === "races" ? [path] : [path, this.tip(x2 + end, y(to), end > 0 ? 180 : 0, link)];
    }
    const [start, end] = [y(from), y(to) - RADIUS - 2];
    const side = x1 < x2 ? -1 : 1;
    let d = `M${x1} ${start}C${x1} ${start + ROW * 0.9} ${x2} ${end - ROW} ${x2} ${end}`;
    if (to - from > 2) {
      // Beside the lane where it ends, so that it crosses no other node.
      const beside = x2 + side * this.gap * 0.36;
      const [down, up] = [start + ROW, end - ROW * 0.8];
      d = `M${x1} ${start}C${x1} ${start + ROW * 0.6} ${beside} ${down - ROW * 0.5} ${beside} ${down}L${beside} ${up}C${beside} ${end - 8} ${x2} ${end - 14} ${x2} ${end}`;
    }
    return [svg("path", { class: `causes${marked}`, d }), this.tip(x2, end, 90, `causes${marked}`)];
  }

  /** The tip of an arrow, which points to the right before it is turned. */
  tip(x, y, turn, kind) {
    return svg("path", { class: `tip ${kind}`, d: "M0 0L-7 -4L-7 4Z", transform: `translate(${x} ${y}) rotate(${turn})` });
  }

  node(i, y) {
    const node = this.bug.nodes[i];
    const number = this.bug.lanes[node.lane].number;
    // Hollow: it might as well come later, or not at all.
    const past = this.past.has(i) || i > this.selected;
    const kind = [node.wrong && "wrong", i === this.selected && "selected", this.isLater(i) && "later", !past && "free"];
    const classes = ["node", colour(node.lane), ...kind].filter(Boolean).join(" ");
    return svg(
      "g",
      { class: classes, transform: `translate(${this.x(node.lane)} ${y})`, onclick: () => this.select(i) },
      node.wrong ? svg("circle", { class: "ring", r: RADIUS + 3 }) : null,
      svg("circle", { class: "disc", r: RADIUS }),
      svg("text", { y: 4 }, String(number)),
    );
  }
}
