// The source beside an execution: the current line, and where the other threads stand.

const KEYWORDS = new Set(
  ("auto break case char const continue default do double else enum extern float for goto if inline int long register " +
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false " +
    "_Alignas _Alignof _Atomic _Bool _Generic _Noreturn _Static_assert _Thread_local class namespace new delete nullptr " +
    "private public protected template this throw try catch using virtual").split(" "),
);
const TOKENS =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<string>"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)|(?<directive>^[ \t]*#[^\n]*?(?=\/[/*]|\n|$))|(?<number>\b\d[\w.]*)|(?<word>[A-Za-z_]\w*)/gm;

/** Lines, each a list of elements and text. */
function coloured(text) {
  const lines = [[]];
  const add = (piece, kind) => {
    piece.split("\n").forEach((part, i) => {
      if (i > 0) lines.push([]);
      if (part) lines.at(-1).push(kind ? el("span", { class: kind }, part) : part);
    });
  };
  let at = 0;
  for (const match of text.matchAll(TOKENS)) {
    add(text.slice(at, match.index));
    let kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    if (kind === "word") kind = KEYWORDS.has(match[0]) ? "keyword" : undefined;
    add(match[0], kind);
    at = match.index + match[0].length;
  }
  add(text.slice(at));
  return lines;
}

class Source {
  constructor() {
    this.name = el("div", { class: "pane-head" });
    this.code = el("div", { class: "code", tabindex: "0", role: "region", "aria-label": "Source" });
    this.view = el("section", { class: "source" }, this.name, this.code);
    this.file = null;
    this.marked = [];
  }

  /**
   * Shows a place (or none); `others` are the places where threads stand, as { place, lane, number, name }, and `wrong` those of
   * the violation.
   */
  show(place, lane, others, wrong) {
    if (!place) {
      this.name.replaceChildren("the place of this step is not known");
      this.unmark();
      return;
    }
    const file = DATA.files[place.file];
    this.name.replaceChildren(el("b", {}, file.name), ` line ${place.line}, in `, el("code", {}, place.function));
    this.open(place.file);
    this.unmark();
    const here = (other) => other.place.file === place.file;
    for (const bad of wrong.filter((bad) => bad.file === place.file)) this.mark(bad.line, "bad");
    for (const other of others.filter(here)) {
      const line = this.mark(other.place.line);
      line?.querySelector(".threads").append(chip(other.lane, other.number, `${other.name} was here last`));
    }
    const current = this.mark(place.line, "current", colour(lane));
    if (current) this.reveal(current);
  }

  open(number) {
    if (this.file === number) return;
    this.file = number;
    this.marked = [];
    const file = DATA.files[number];
    if (file.text === null) {
      this.lines = [];
      this.code.replaceChildren(el("p", { class: "missing" }, file.missing));
      return;
    }
    this.lines = coloured(file.text.replace(/\r\n?/g, "\n").replace(/\n$/, "")).map((line, i) =>
      el(
        "div",
        { class: "line", "data-line": i + 1 },
        el("span", { class: "threads" }),
        el("span", { class: "number" }, String(i + 1)),
        el("span", { class: "text" }, line),
      ),
    );
    this.code.replaceChildren(...this.lines);
  }

  mark(number, ...kinds) {
    const line = this.lines[number - 1];
    if (!line) return undefined;
    line.classList.add(...kinds);
    this.marked.push(line);
    return line;
  }

  unmark() {
    for (const line of this.marked) {
      line.className = "line";
      line.querySelector(".threads").replaceChildren();
    }
    this.marked = [];
  }

  /** Scrolls this pane only, never the page. */
  reveal(line) {
    const { code } = this;
    const top = line.offsetTop;
    const margin = Math.min(80, code.clientHeight / 4);
    if (top < code.scrollTop + margin || top > code.scrollTop + code.clientHeight - margin) {
      code.scrollTop = top - code.clientHeight / 2;
    }
  }
}
