// What is known of the state after a step: which threads exist, what they hold, what variables held when they were used
// last.

/** The state after node number `selected` of a bug. */
function stateAt(bug, selected) {
  const threads = bug.lanes.map(() => ({ state: "not there yet", kind: "absent", holds: [], place: null, moved: false }));
  const variables = new Map();
  if (threads.length > 0 && bug.lanes[0].number === 0) Object.assign(threads[0], { state: "alive", kind: "alive" });
  // What is wrong is so at the same time.
  const end = bug.nodes[selected].wrong ? bug.nodes.length - 1 : selected;
  for (let i = 0; i <= end; i++) {
    const node = bug.nodes[i];
    const own = threads[node.lane];
    Object.assign(own, { state: "alive", kind: "alive", place: node.place ?? own.place });
    if (node.wrong) {
      // The locks are those of the last step.
      Object.assign(own, { state: node.text, kind: "wrong" });
      continue;
    }
    own.holds = node.holds;
    if (node.waits) Object.assign(own, { state: "waits on a condition variable", kind: "waits" });
    if (node.ends) Object.assign(own, { state: "has ended", kind: "ended", place: null });
    if (node.creates !== null) Object.assign(threads[node.creates], { state: "has begun", kind: "alive" });
    for (const lane of node.wakes) Object.assign(threads[lane], { state: "was woken", kind: "alive" });
    if (node.access) {
      const known = variables.get(node.access.variable) ?? { value: null };
      const { read, written } = node.access;
      const verb = written !== null ? (read !== null ? "updated" : "written") : "read";
      const value = written ?? read ?? known.value;
      variables.set(node.access.variable, { value, verb, lane: node.lane, step: i });
    }
  }
  return { threads, variables };
}

class State {
  /** `select` is called with the place of a node. */
  constructor(bug, select) {
    this.bug = bug;
    this.select = select;
    this.threads = el("table", { class: "threads-table" });
    this.variables = el("table", { class: "variables-table" });
    this.view = el(
      "section",
      { class: "state" },
      // (Where steps are left out, it is not known.)
      ...(bug.complete ? [el("h3", {}, "Threads after this step"), this.threads] : []),
      ...(bug.complete ? [el("h3", {}, "Variables, as these steps saw them"), this.variables] : []),
      ...this.company(),
    );
  }

  show(selected, state) {
    const { bug } = this;
    const rows = state.threads.map((thread, i) => {
      const lane = bug.lanes[i];
      const locks = thread.holds.map((lock) => el("span", { class: "lock" }, rich(lock)));
      const holds = locks.length > 0 ? el("span", { class: "holds" }, "holds ", locks) : null;
      return el(
        "tr",
        { class: `is-${thread.kind}`, "data-thread": lane.number },
        el("td", {}, chip(i, lane.number, lane.name)),
        el("td", { class: "routine" }, lane.routine ? el("code", {}, lane.routine) : lane.name),
        el("td", {}, el("span", { class: "thread-state" }, rich(thread.state)), " ", holds),
      );
    });
    this.threads.replaceChildren(el("tbody", {}, rows));
    const variables = [...state.variables].map(([name, variable]) => {
      const lane = bug.lanes[variable.lane];
      const step = el("button", { type: "button", onclick: () => this.select(variable.step) }, `step ${variable.step + 1}`);
      return el(
        "tr",
        { class: variable.step === selected ? "fresh" : "" },
        el("td", {}, rich(name)),
        el("td", { class: "value" }, variable.value ?? "?"),
        el("td", {}, chip(variable.lane, lane.number, lane.name), ` ${variable.verb}, `, step),
      );
    });
    const none = el("tr", {}, el("td", { class: "faint" }, "No step so far reads or writes one."));
    this.variables.replaceChildren(el("tbody", {}, variables.length > 0 ? variables : none));
  }

  /** What belongs to the bug and does not change: stacks, what else there is to say, output. */
  company() {
    const { bug } = this;
    const stack = (entry) => [
      el("h4", {}, rich(entry.heading)),
      el(
        "ol",
        { class: "frames" },
        entry.frames.map((frame) =>
          el("li", {}, el("code", {}, frame.function), frame.place ? ` at ${placeText(frame.place)}` : ""),
        ),
      ),
    ];
    const parts = [];
    if (bug.related.length > 0) parts.push(el("h3", {}, "What belongs to it"), ...bug.related.flatMap(stack));
    if (bug.stacks.length > 0) parts.push(el("h3", {}, "Stacks at the end"), ...bug.stacks.flatMap(stack));
    if (bug.given.length > 0) parts.push(el("h3", {}, "What the program is given"), el("pre", {}, bug.given.join("\n")));
    if (bug.output) parts.push(el("h3", {}, "What the program printed"), el("pre", {}, bug.output));
    return parts;
  }
}
