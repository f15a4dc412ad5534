"use strict";
// What all parts of the page use: elements made of text only, threads by their colours, the data.

/** How many colours there are for threads. */
const COLOURS = 8;

/** An element; children are elements or text. What is `undefined` or `false` among the attributes is left out. */
function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for pictures. */
function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Text in which names stand between backquotes. */
function rich(text) {
  return text.split("`").map((part, i) => (i % 2 ? el("code", {}, part) : part));
}

/** The class that gives something the colour of a thread; the place of its lane, or any number that tells threads apart. */
function colour(lane) {
  return `thread-${lane % COLOURS}`;
}

/** The number of a thread in its colour. */
function chip(lane, number, title) {
  return el("span", { class: `chip ${colour(lane)}`, title }, String(number));
}

/** A file name, and the line: `a.c:12`. */
function placeText(place) {
  const column = place.column ? `:${place.column}` : "";
  return `${DATA.files[place.file].name}:${place.line}${column}`;
}

/** The last part of the path of a place. */
function baseName(place) {
  return DATA.files[place.file].name.split("/").pop();
}

function counted(count, what) {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function clamp(value, low, high) {
  return Math.max(low, Math.min(high, value));
}

// A fault of the page must not look like a report with less in it.
window.addEventListener("error", (event) => {
  const what = `This page has a fault, so something may be missing: ${event.message}`;
  document.body.prepend(el("p", { id: "fault", role: "alert" }, what));
});

const DATA = JSON.parse(document.getElementById("data").textContent);
