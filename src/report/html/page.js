// The page: views to choose from, one current step in each, keys, and the address that leads back to a step.

/** A bug: execution, source and state beside one another. */
class BugView {
  constructor(bug, select) {
    this.bug = bug;
    this.execution = new Execution(bug, select);
    this.source = new Source();
    this.state = new State(bug, select);
    this.position = el("output", { id: "position" });
    this.slider = el("input", {
      type: "range",
      min: 1,
      max: bug.nodes.length,
      "aria-label": "Step",
      oninput: () => select(Number(this.slider.value) - 1),
    });
    const go = (text, title, to) => el("button", { type: "button", title, onclick: () => select(to()) }, text);
    const tools = el(
      "div",
      { class: "tools" },
      go("⇤", "First step (Home)", () => 0),
      go("←", "Step before (↑ or k)", () => this.selected - 1),
      go("→", "Next step (↓ or j)", () => this.selected + 1),
      go("⇥", "What is wrong (End)", () => this.count - 1),
      this.slider,
      this.position,
    );
    const note = bug.note ? el("p", { class: "faint note" }, `Of this execution: ${bug.note}.`) : null;
    const left = el("section", { class: "left" }, tools, note, this.execution.view);
    const kind = bug.kind.replaceAll("-", " ");
    const badge = bug.title.startsWith(kind) ? null : el("span", { class: "kind" }, kind);
    const place = bug.place ? el("p", { class: "faint" }, placeText(bug.place)) : null;
    this.view = el(
      "article",
      { class: "bug" },
      el("div", { class: "headline" }, el("h2", {}, badge, badge && " ", ...rich(bug.title)), place),
      el("div", { class: "panes" }, left, el("div", { class: "right" }, this.source.view, this.state.view)),
    );
    this.first = bug.nodes.length - 1;
    this.selected = this.first;
  }

  get count() {
    return this.bug.nodes.length;
  }

  threadOf(i) {
    return this.bug.nodes[i].lane;
  }

  show(selected) {
    this.selected = selected;
    const { bug } = this;
    const node = bug.nodes[selected];
    const state = stateAt(bug, selected);
    const standing = state.threads.map((thread, lane) => ({ ...bug.lanes[lane], lane, place: thread.place }));
    const others = standing.filter((other) => other.place && other.lane !== node.lane);
    const wrong = node.wrong ? bug.nodes.filter((other) => other.wrong && other.place).map((other) => other.place) : [];
    this.source.show(node.place, node.lane, others, wrong);
    this.state.show(selected, state);
    this.execution.show(selected);
    this.slider.value = selected + 1;
    this.position.replaceChildren(`${selected + 1} of ${this.count}`);
  }

  key() {
    return false;
  }
}

/** The unfolding, with an event instead of a step. */
class ExploredView extends UnfoldingView {
  first = 0;

  get count() {
    return this.unfolding.events.length;
  }

  threadOf(i) {
    return this.unfolding.events[i].thread;
  }
}

/** What came out, in words and numbers. */
class SummaryView {
  first = 0;
  count = 1;

  constructor() {
    const part = (title, content) => el("section", {}, el("h3", {}, title), content);
    const list = (title, items) =>
      items.length > 0 ? [part(title, el("ul", {}, items.map((item) => el("li", {}, rich(item)))))] : [];
    const seconds = (value) => `${value.toFixed(3)} s`;
    const counts = ([name, value]) => [name, value.toLocaleString("en")];
    const row = ([name, value]) => el("tr", {}, el("td", {}, name), el("td", { class: "value" }, value));
    const table = (title, rows) => [part(title, el("table", {}, el("tbody", {}, rows.map(row))))];
    const tiles = el("div", { class: "tiles" }, DATA.statistics.map((item) => el("span", { class: "tile" }, item)));
    const { profile } = DATA;
    const noUnfolding = DATA.no_unfolding ? [`The unfolding is not shown: ${DATA.no_unfolding}.`] : [];
    const suppressed = DATA.suppressed.map(({ message, place, reason }) =>
      place ? `${message}, at ${placeText(place)} (${reason})` : `${message} (${reason})`,
    );
    const reasons = DATA.verdict === "safe" ? "Why" : "Why not everything was explored";
    this.view = el(
      "article",
      { class: "summary" },
      el("h2", {}, rich(DATA.headline)),
      ...list("Bugs", DATA.violations.map((bug) => bug.title)),
      ...list("Suppressed", suppressed),
      ...list(reasons, DATA.reasons),
      ...list("What to do now", DATA.hints),
      ...list(DATA.verdict === "safe" ? "This assumes" : "A proof would assume", DATA.assumptions),
      part("Statistics", tiles),
      ...list("Not in this page", noUnfolding),
      ...(profile ? table("Where the time went", profile.time.map(([name, value]) => [name, seconds(value)])) : []),
      ...(profile ? table("What the engine did", profile.engine.map(counts)) : []),
      ...(profile?.orders.length ? table("Whose actions were put into another order", profile.orders.map(counts)) : []),
    );
  }

  threadOf() {
    return 0;
  }

  show() {}

  key() {
    return false;
  }
}

const KEYS = "↓ ↑ or j k: next, previous · n p: of the same thread · Home End: first, last · v: next view · in the unfolding: arrows move, + − 0 zoom";

class Report {
  constructor() {
    const makers = DATA.violations.map((bug, i) => {
      const name = DATA.violations.length > 1 ? `Bug ${i + 1}` : "Bug";
      return { id: `bug=${i + 1}`, name, make: (select) => new BugView(bug, select) };
    });
    makers.push({ id: "summary", name: "Summary", make: () => new SummaryView() });
    if (DATA.unfolding?.events.length > 0) {
      makers.push({ id: "unfolding", name: "Unfolding", make: (select) => new ExploredView(DATA.unfolding, select) });
    }
    this.views = makers.map((view, i) => ({ ...view, tab: this.tab(view, i), shown: null, step: null }));
    const tabs = el("nav", { role: "tablist" }, this.views.map((view) => view.tab));
    const verdict = el("span", { class: `verdict ${DATA.verdict}` }, DATA.verdict);
    const program = el("span", { id: "program" }, DATA.program);
    this.main = el("main", { id: "main", role: "tabpanel" });
    document.body.append(
      el("header", {}, el("b", {}, "verify"), verdict, program, tabs, el("span", { class: "version faint" }, `version ${DATA.version}`)),
      this.main,
      el("footer", { class: "faint" }, KEYS),
    );
    document.title = `${DATA.program}: ${DATA.violations[0]?.title ?? DATA.headline}`;
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.goToAddress());
    this.goToAddress();
  }

  tab(view, i) {
    const attributes = { type: "button", role: "tab", "data-view": view.id, onclick: () => this.go(i) };
    return el("button", attributes, view.name);
  }

  /** `#bug=2&step=5`, `#unfolding&step=7`, `#step=5`, `#summary`. */
  goToAddress() {
    const parts = decodeURIComponent(location.hash.slice(1)).split("&");
    const view = this.views.findIndex((view) => parts.includes(view.id));
    const step = parts.find((part) => /^step=\d+$/.test(part));
    this.go(Math.max(view, 0), step && Number(step.slice(5)) - 1);
  }

  /** Shows a view, at a step of it or where it was left. */
  go(number, step) {
    const changed = this.current !== number;
    this.current = number;
    const entry = this.views[number];
    entry.shown ??= entry.make((selected) => this.go(number, selected));
    const { shown } = entry;
    if (changed) {
      this.main.replaceChildren(shown.view);
      this.views.forEach((view, i) => view.tab.setAttribute("aria-selected", i === number ? "true" : "false"));
      // (As large as can be read.)
      if (entry.step === null) shown.fit?.(0.75);
    }
    entry.step = clamp(step ?? entry.step ?? shown.first, 0, shown.count - 1);
    shown.show(entry.step);
    const where = shown.count > 1 ? `#${entry.id}&step=${entry.step + 1}` : `#${entry.id}`;
    // (Not every page that is opened from a file may change its address.)
    try {
      history.replaceState(null, "", where);
    } catch {}
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { shown, step } = this.views[this.current];
    // In the slider the arrows are the slider's.
    if (event.target.matches?.("input") && event.key.startsWith("Arrow")) return;
    const next = this.target(event.key, shown, step);
    if (shown.key(event.key)) event.preventDefault();
    else if (event.key === "v") this.go((this.current + 1) % this.views.length);
    else if (next !== null) {
      event.preventDefault();
      this.go(this.current, next);
    }
  }

  /** The step that a key leads to, if it is a key for that. */
  target(key, shown, step) {
    const of = (direction) => {
      for (let i = step + direction; i >= 0 && i < shown.count; i += direction) {
        if (shown.threadOf(i) === shown.threadOf(step)) return i;
      }
      return step;
    };
    switch (key) {
      case "ArrowDown":
      case "j":
        return step + 1;
      case "ArrowUp":
      case "k":
        return step - 1;
      case "Home":
        return 0;
      case "End":
        return shown.count - 1;
      case "n":
        return of(1);
      case "p":
        return of(-1);
      default:
        return null;
    }
  }
}

new Report();
