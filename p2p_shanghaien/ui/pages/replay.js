"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  // stops: for each place, what stands in each panel: its width, its height, and the numbers of its parts
  const { stops, words } = JSON.parse(find("game").textContent);
  const parts = find("parts").content.firstElementChild.children;
  const links = [...document.querySelectorAll("#moves a")];
  const stages = [...document.querySelectorAll("#controls nav a")];
  const places = links.map((link) => link.hash.slice(1));
  const opening = stages.map((link) => places.indexOf(link.hash.slice(1)));
  const panels = [...document.querySelectorAll("#panels svg")];
  const [told, play, slider] = ["told", "play", "step"].map(find);
  const closing = document.querySelector("#moves .closing").textContent;
  // the line in the curve of an analysis, which is not on every page
  const now = find("now");
  const last = links.length - 1;
  let at = last;
  let timer = 0;

  function draw(panel, [width, height, wanted], known) {
    panel.setAttribute("viewBox", `0 0 ${width} ${height}`);
    panel.replaceChildren(...wanted.map((number) => {
      const part = parts[number].cloneNode(true);
      part.classList.toggle("new", !known.has(number));
      return part;
    }));
  }

  function show(to) {
    const known = new Set(stops[at].flatMap((panel) => panel[2]));
    at = Math.min(Math.max(to, 0), last);
    stops[at].forEach((panel, index) => draw(panels[index], panel, known));
    told.textContent = links[at].textContent + (at === last ? ` ${closing}` : "");
    find("words").replaceChildren(...stops[at].flatMap((panel) => panel[2]).filter((number) => words[number]).map((number) => {
      const item = document.createElement("li");
      item.textContent = words[number];
      return item;
    }));
    find("place").textContent = places[at];
    slider.value = at;
    slider.setAttribute("aria-valuetext", `${places[at]}: ${links[at].textContent}`);
    mark(links, (link, index) => index === at, "step");
    const stage = opening.findLastIndex((index) => index <= at);
    mark(stages, (link, index) => index === stage, "true");
    for (const id of ["start", "back-stage", "back"]) disable(id, at === 0);
    for (const id of ["next", "next-stage", "end"]) disable(id, at === last);
    if (now) for (const end of ["x1", "x2"]) now.setAttribute(end, now.dataset.xs.split(" ")[at]);
    if (at === last) pause();
  }

  function mark(all, chosen, current) {
    all.forEach((link, index) => {
      if (chosen(link, index)) link.setAttribute("aria-current", current);
      else link.removeAttribute("aria-current");
    });
  }

  // a button that was disabled altogether would drop the keyboard's focus
  const disable = (id, off) => find(id).setAttribute("aria-disabled", off);

  function pause() {
    clearInterval(timer);
    timer = 0;
    play.textContent = play.dataset.play;
  }

  function start() {
    clearInterval(timer);
    if (at === last) show(0);
    timer = setInterval(() => show(at + 1), Number(find("speed").value));
    play.textContent = play.dataset.pause;
  }

  function go(to) {
    pause();
    show(to);
  }

  const nextStage = () => opening.find((index) => index > at) ?? last;
  const lastStage = () => opening.findLast((index) => index < at) ?? 0;
  const toggle = () => (timer ? pause() : start());
  const actions = {
    start: () => go(0),
    "back-stage": () => go(lastStage()),
    back: () => go(at - 1),
    play: toggle,
    next: () => go(at + 1),
    "next-stage": () => go(nextStage()),
    end: () => go(last),
  };
  for (const [id, action] of Object.entries(actions)) find(id).addEventListener("click", action);
  slider.addEventListener("input", () => go(Number(slider.value)));
  find("speed").addEventListener("change", () => timer && start());

  // `3.5` is the end of that turn
  function named(place) {
    const exact = places.indexOf(place);
    return exact >= 0 ? exact : places.findLastIndex((other) => other.startsWith(`${place}.`));
  }

  for (const link of [...links, ...stages, ...document.querySelectorAll("#analysis a")]) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      go(named(link.getAttribute("href").slice(1)));
      find("player").scrollIntoView();
    });
  }
  addEventListener("hashchange", () => {
    const to = named(location.hash.slice(1));
    if (to >= 0) go(to);
  });

  // the keys that scroll a page up and down still do
  const keys = { ArrowRight: "next", ArrowLeft: "back", Home: "start", End: "end" };
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    // what has keys of its own keeps them
    if (event.target.closest("input, select")) return;
    if (event.key === " " && !event.target.closest("button, a, summary")) toggle();
    else if (keys[event.key]) actions[keys[event.key] + (event.shiftKey && event.key.startsWith("Arrow") ? "-stage" : "")]();
    else return;
    event.preventDefault();
  });

  if (last < 0) return;
  for (const hidden of document.querySelectorAll("#controls, .keys")) hidden.hidden = false;
  show(Math.max(named(location.hash.slice(1) || places[0]), 0));
})();
