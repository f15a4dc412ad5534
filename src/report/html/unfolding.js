// The unfolding that was explored: events below their causes, conflicts dashed, to zoom and to move.

const BOX = { width: 196, height: 42, across: 22, down: 46 };

/** Places for the events: rows by the longest way from a first event, in each row near their causes and effects. */
function layout({ events }) {
  const depth = [];
  events.forEach((event, i) => {
    depth[i] = 1 + Math.max(-1, ...event.causes.map((cause) => depth[cause]));
  });
  const effects = events.map(() => []);
  events.forEach((event, i) => event.causes.forEach((cause) => effects[cause].push(i)));
  const rows = [];
  depth.forEach((row, i) => (rows[row] ??= []).push(i));
  const step = BOX.width + BOX.across;
  const x = [];
  for (const row of rows) row.forEach((event, i) => (x[event] = i * step));
  const place = (row, near) => {
    const wanted = new Map(row.map((event) => [event, mean(near(event).map((other) => x[other])) ?? x[event]]));
    row.sort((a, b) => wanted.get(a) - wanted.get(b) || a - b);
    // As near as possible without overlap: from the left, and the room that is left over is shared.
    let right = -Infinity;
    for (const event of row) right = (x[event] = Math.max(wanted.get(event), right + step));
    const shift = mean(row.map((event) => wanted.get(event) - x[event]));
    for (const event of row) x[event] += shift;
  };
  for (let sweep = 0; sweep < 8; sweep++) {
    for (const row of rows.slice(1)) place(row, (event) => events[event].causes);
    for (const row of rows.slice(0, -1).reverse()) place(row, (event) => effects[event]);
  }
  const left = Math.min(...x);
  const spots = events.map((_, i) => ({ x: x[i] - left, y: depth[i] * (BOX.height + BOX.down) }));
  return { spots, width: Math.max(...x) - left + BOX.width, height: rows.length * (BOX.height + BOX.down) - BOX.down };
}

/** What stands in a box: the verb and the names, the rest is beside it. */
function brief(text) {
  return text.replaceAll("`", "").replace("creates a thread that runs the function", "creates").replace(/ atomic | mutex /, " ");
}

function mean(numbers) {
  return numbers.length > 0 ? numbers.reduce((sum, number) => sum + number, 0) / numbers.length : undefined;
}

class UnfoldingView {
  constructor(unfolding, select) {
    this.unfolding = unfolding;
    this.select = select;
    this.selected = 0;
    this.layout = layout(unfolding);
    this.zoom = { scale: 1, x: 0, y: 0 };
    this.conflicts = unfolding.events.map(() => []);
    for (const [one, other] of unfolding.conflicts) {
      this.conflicts[one].push(other);
      this.conflicts[other].push(one);
    }
    this.source = new Source();
    this.about = el("section", { class: "state about" });
    this.world = svg("g", {});
    this.drawing = svg("svg", { class: "graph", tabindex: "0", role: "img", "aria-label": "Unfolding" }, this.world);
    this.draw();
    this.moveWithPointer();
    const button = (text, title, act) => el("button", { type: "button", title, onclick: act }, text);
    const tools = el(
      "div",
      { class: "tools" },
      button("+", "Zoom in (+)", () => this.zoomBy(1.25)),
      button("−", "Zoom out (-)", () => this.zoomBy(0.8)),
      button("all", "Show everything (0)", () => this.fit()),
      el("span", { class: "faint" }, `${counted(unfolding.events.length, "event")}, ${counted(unfolding.conflicts.length, "immediate conflict")}`),
    );
    this.view = el(
      "div",
      { class: "panes" },
      el("section", { class: "left" }, tools, this.drawing),
      el("div", { class: "right" }, this.source.view, this.about),
    );
  }

  draw() {
    const { events, conflicts } = this.unfolding;
    const { spots } = this.layout;
    const bottom = (i) => ({ x: spots[i].x + BOX.width / 2, y: spots[i].y + BOX.height });
    const top = (i) => ({ x: spots[i].x + BOX.width / 2, y: spots[i].y });
    this.edges = events.flatMap((event, i) =>
      event.causes.map((cause) => {
        const [a, b] = [bottom(cause), top(i)];
        const d = `M${a.x} ${a.y}C${a.x} ${a.y + BOX.down} ${b.x} ${b.y - BOX.down} ${b.x} ${b.y}`;
        return { cause, effect: i, path: svg("path", { class: "cause", d }) };
      }),
    );
    const middle = (i) => ({ x: spots[i].x + BOX.width / 2, y: spots[i].y + BOX.height / 2 });
    const lines = conflicts.map(([one, other]) => {
      const [a, b] = [middle(one), middle(other)];
      const sag = BOX.height / 2 + 14;
      const d = `M${a.x} ${a.y}C${a.x} ${a.y + sag} ${b.x} ${b.y + sag} ${b.x} ${b.y}`;
      return svg("path", { class: "conflict", d, "data-conflict": `${one} ${other}` });
    });
    this.boxes = events.map((event, i) => this.box(event, i));
    this.world.replaceChildren(...this.edges.map((edge) => edge.path), ...lines, ...this.boxes);
  }

  box(event, i) {
    const { x, y } = this.layout.spots[i];
    const short = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
    const place = event.place ? `${baseName(event.place)}:${event.place.line}` : "";
    return svg(
      "g",
      {
        class: `event ${colour(event.thread)}${event.cutoff ? " cutoff" : ""}`,
        transform: `translate(${x} ${y})`,
        onclick: () => this.select(i),
      },
      svg("title", {}, `${event.name} ${event.text}${event.cutoff ? " (cutoff)" : ""}`),
      event.cutoff ? svg("rect", { class: "border", x: -4, y: -4, width: BOX.width + 8, height: BOX.height + 8, rx: 9 }) : null,
      svg("rect", { class: "box", width: BOX.width, height: BOX.height, rx: 6 }),
      svg("rect", { class: "band", width: 22, height: BOX.height, rx: 6 }),
      svg("text", { class: "thread", x: 11, y: BOX.height / 2 + 4 }, String(event.thread)),
      svg("text", { class: "what", x: 29, y: 17 }, short(brief(event.text), 25)),
      svg("text", { class: "where", x: 29, y: 33 }, short(event.cutoff ? `cutoff, ${place}` : place, 25)),
    );
  }

  /** Shows another event as the current one, with what comes before it. */
  show(selected) {
    this.selected = selected;
    const { events } = this.unfolding;
    const past = new Set([selected]);
    // Causes have smaller numbers.
    for (let i = selected; i >= 0; i--) if (past.has(i)) events[i].causes.forEach((cause) => past.add(cause));
    this.boxes.forEach((box, i) => {
      box.classList.toggle("past", past.has(i));
      box.classList.toggle("selected", i === selected);
      box.classList.toggle("excluded", this.conflicts[selected].includes(i));
    });
    for (const { effect, path } of this.edges) path.classList.toggle("past", past.has(effect));
    const event = events[selected];
    this.source.show(event.place, event.thread, [], []);
    this.describe(event, past.size);
    this.keepInSight();
  }

  describe(event, size) {
    const link = (i) => {
      const other = this.unfolding.events[i];
      const button = el("button", { type: "button", onclick: () => this.select(i) }, rich(other.text));
      return el("li", {}, chip(other.thread, other.thread, other.name), " ", button);
    };
    const list = (title, events) =>
      events.length > 0 ? [el("h3", {}, title), el("ul", { class: "events" }, events.map(link))] : [];
    this.about.replaceChildren(
      el("h3", {}, `Event ${this.selected + 1} of ${this.unfolding.events.length}`),
      el("p", {}, chip(event.thread, event.thread, event.name), " ", ...rich(`${event.name} ${event.text}`)),
      el("p", { class: "faint" }, `With all that must come before it: ${counted(size, "event")}.`),
      ...(event.cutoff ? [el("p", { class: "cutoff-note" }, "A cutoff: the state behind it was known already.")] : []),
      ...list("Immediate causes", event.causes),
      ...list("In immediate conflict with", this.conflicts[this.selected]),
    );
  }

  /** Everything, as large as it fits; or at least so large, with as much around the top as fits. */
  fit(least = 0.05) {
    const { clientWidth, clientHeight } = this.drawing;
    const { width, height } = this.layout;
    const scale = clamp(Math.min((clientWidth - 40) / width, (clientHeight - 40) / height), least, 1.2);
    this.zoom = { scale, x: (clientWidth - width * scale) / 2, y: Math.max(20, (clientHeight - height * scale) / 2) };
    this.apply();
  }

  apply() {
    const { scale, x, y } = this.zoom;
    this.world.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
  }

  /** Zooms, while the point stays where it is; the middle if there is none. */
  zoomBy(factor, at = { x: this.drawing.clientWidth / 2, y: this.drawing.clientHeight / 2 }) {
    const old = this.zoom;
    const scale = clamp(old.scale * factor, 0.05, 4);
    const along = (axis) => at[axis] - ((at[axis] - old[axis]) * scale) / old.scale;
    this.zoom = { scale, x: along("x"), y: along("y") };
    this.apply();
  }

  moveBy(x, y) {
    this.zoom.x += x;
    this.zoom.y += y;
    this.apply();
  }

  keepInSight() {
    const { scale, x, y } = this.zoom;
    const spot = this.layout.spots[this.selected];
    const { clientWidth, clientHeight } = this.drawing;
    const [left, top] = [x + spot.x * scale, y + spot.y * scale];
    const inside = (low, size, all) => (low < 0 ? -low + 20 : low + size > all ? all - low - size - 20 : 0);
    this.moveBy(inside(left, BOX.width * scale, clientWidth), inside(top, BOX.height * scale, clientHeight));
  }

  moveWithPointer() {
    const { drawing } = this;
    drawing.addEventListener("wheel", (event) => {
      event.preventDefault();
      const { left, top } = drawing.getBoundingClientRect();
      this.zoomBy(Math.exp(-event.deltaY / 400), { x: event.clientX - left, y: event.clientY - top });
    });
    // (Captured only once it moves: else a click would never reach the event below it.)
    let from = null;
    drawing.addEventListener("pointerdown", (event) => (from = { x: event.clientX, y: event.clientY }));
    drawing.addEventListener("pointermove", (event) => {
      if (!from || event.buttons === 0) return;
      this.moveBy(event.clientX - from.x, event.clientY - from.y);
      from = { x: event.clientX, y: event.clientY };
    });
    drawing.addEventListener("pointerup", () => (from = null));
  }

  /** Whether the key means something here. */
  key(key) {
    const moves = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] };
    if (moves[key]) this.moveBy(...moves[key]);
    else if (key === "+" || key === "=") this.zoomBy(1.25);
    else if (key === "-") this.zoomBy(0.8);
    else if (key === "0") this.fit();
    else return false;
    return true;
  }
}
