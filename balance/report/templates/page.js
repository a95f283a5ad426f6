(function () {
  "use strict";
  var root = document.documentElement;
  var figures = JSON.parse(document.getElementById("figures").textContent);
  var drawn = [];

  // ---- colours: the style sheet is the only place that knows them
  function tone(name) { return getComputedStyle(root).getPropertyValue("--" + name).trim(); }

  function isDark() { return getComputedStyle(root).colorScheme === "dark"; }

  function faded(colour, alpha) {
    var n = parseInt(colour.slice(1), 16);
    return "rgba(" + (n >> 16) + "," + ((n >> 8) & 255) + "," + (n & 255) + "," + alpha + ")";
  }

  // Orange to blue through the paper: told apart by people who do not see red or green.
  function diverging() {
    return isDark()
      ? [[0, "#f0913a"], [0.25, "#93602f"], [0.5, "#22282e"], [0.75, "#2f6a92"], [1, "#56b4e9"]]
      : [[0, "#c4550a"], [0.25, "#eeb285"], [0.5, "#f6f4f0"], [0.75, "#8fbfe0"], [1, "#1f78b4"]];
  }

  function paintTrace(trace) {
    var wanted = trace.meta ? trace.meta.tone : 0;
    if (wanted === "diverging") { trace.colorscale = diverging(); return; }
    var colour = tone(wanted === "quiet" ? "quiet" : "s" + (wanted % 6));
    if (trace.marker || trace.type === "bar") { trace.marker = Object.assign({}, trace.marker, { color: colour }); }
    if (trace.line) { trace.line = Object.assign({}, trace.line, { color: colour }); }
    if (trace.error_x) { trace.error_x = Object.assign({}, trace.error_x, { color: trace.type === "bar" ? tone("ink") : colour }); }
    if (trace.error_y) { trace.error_y = Object.assign({}, trace.error_y, { color: colour }); }
    if (trace.fill) { trace.fillcolor = faded(colour, 0.16); }
  }

  function paintLayout(layout, narrow) {
    layout.paper_bgcolor = layout.plot_bgcolor = "rgba(0,0,0,0)";
    layout.font = { family: getComputedStyle(document.body).fontFamily, size: narrow ? 12 : 13, color: tone("ink") };
    layout.hoverlabel = { bgcolor: tone("card"), bordercolor: tone("line"), font: { color: tone("ink") } };
    layout.dragmode = false;
    ["xaxis", "yaxis"].forEach(function (name) {
      var axis = layout[name] = layout[name] || {};
      axis.gridcolor = tone("grid");
      axis.linecolor = tone("line");
      axis.zerolinecolor = tone("quiet");
      axis.fixedrange = true;
      if (axis.title) { axis.title.font = { color: tone("soft"), size: 12 }; }
    });
    (layout.shapes || []).forEach(function (shape) { shape.line = { color: tone("quiet"), width: 1 }; });
    (layout.annotations || []).forEach(function (note) { note.font = { color: tone("ink"), size: 12 }; });
  }

  function draw(slug) {
    var place = document.getElementById(slug);
    var figure = JSON.parse(JSON.stringify(figures[slug]));
    place.style.height = figure.layout.height + "px"; // plotly forgets the height when the window changes
    figure.data.forEach(paintTrace);
    paintLayout(figure.layout, place.clientWidth < 500);
    return window.Plotly.react(place, figure.data, figure.layout, { displayModeBar: false, responsive: true });
  }

  // A chart on a page that is not shown has no width: it is drawn when its page is turned up.
  var stale = {};
  function soil() { Object.keys(figures).forEach(function (slug) { stale[slug] = true; }); }
  function drawShown() {
    if (!window.Plotly) { return Promise.resolve(); }
    var wanted = Object.keys(stale).filter(function (slug) {
      return document.getElementById(slug).offsetParent !== null;
    });
    wanted.forEach(function (slug) { delete stale[slug]; if (drawn.indexOf(slug) < 0) { drawn.push(slug); } });
    return Promise.all(wanted.map(draw));
  }
  function drawAll() { soil(); return drawShown(); }

  // ---- pages: one is shown at a time, or all of them
  var sheets = Array.prototype.slice.call(document.querySelectorAll(".sheet"));
  var links = Array.prototype.slice.call(document.querySelectorAll("nav a[data-page]"));
  function targetOf() {
    try { return document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch (error) { return null; }
  }
  function show(name) {
    sheets.forEach(function (sheet) { sheet.hidden = name !== "everything" && sheet.id !== "page-" + name; });
    links.forEach(function (link) {
      var here = link.dataset.page === name;
      if (here) { link.setAttribute("aria-current", "page"); } else { link.removeAttribute("aria-current"); }
      link.parentNode.classList.toggle("here", here);
    });
    return drawShown();
  }
  var shown = links.length ? links[0].dataset.page : "everything";
  function turn() {
    var target = targetOf(), sheet = target && target.closest(".sheet");
    if (location.hash === "#everything") { shown = "everything"; }
    else if (sheet && !(shown === "everything" && target !== sheet)) { shown = sheet.id.slice(5); }
    else if (!location.hash && links.length) { shown = links[0].dataset.page; }
    var done = show(shown);
    if (target && target !== sheet) { target.scrollIntoView({ behavior: "instant" }); }
    else if (sheet) { window.scrollTo(0, Math.min(window.scrollY, document.getElementById("main").offsetTop)); }
    return done;
  }
  if (links.length) { window.addEventListener("hashchange", turn); turn(); }
  window.addEventListener("resize", function () {
    drawn.forEach(function (slug) {
      if (document.getElementById(slug).offsetParent === null) { stale[slug] = true; }
    });
  });

  // ---- plotly.js comes packed: nothing is fetched
  function unpack() {
    var text = document.getElementById("plotly").textContent.trim();
    var bytes = Uint8Array.from(atob(text), function (char) { return char.charCodeAt(0); });
    var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text().then(function (source) {
      var element = document.createElement("script");
      element.textContent = source;
      document.head.appendChild(element);
    });
  }

  // Tables stand open for those without scripts; once the charts are there they fold away.
  function fold() {
    document.querySelectorAll("details.behind").forEach(function (details) { details.open = false; });
  }

  function failed() {
    document.getElementById("no-charts").hidden = false;
    document.querySelectorAll(".chart").forEach(function (place) { place.hidden = true; });
  }

  // ---- system, light, dark
  var themes = ["system", "light", "dark"], button = document.getElementById("theme");
  function remembered() { try { return localStorage.getItem("balance-theme") || "system"; } catch (error) { return "system"; } }
  function setTheme(name) {
    if (name === "system") { root.removeAttribute("data-theme"); } else { root.setAttribute("data-theme", name); }
    button.textContent = "Colours: " + name;
    button.setAttribute("aria-label", "Colours: " + name + ". Press to change.");
    try { localStorage.setItem("balance-theme", name); } catch (error) { /* private windows have no memory */ }
  }
  var theme = themes.indexOf(remembered()) < 0 ? "system" : remembered();
  setTheme(theme);
  button.addEventListener("click", function () {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    setTheme(theme);
    drawAll();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);

  // ---- paper is light, has its own width and holds every page
  var before = null;
  function toPaper() {
    if (before !== null) { return; }
    before = theme;
    root.setAttribute("data-theme", "light");
    sheets.forEach(function (sheet) { sheet.hidden = false; });
    drawShown();
    drawn.forEach(function (slug) {
      var place = document.getElementById(slug);
      place.style.width = "180mm";
      draw(slug);
      window.Plotly.relayout(place, { width: place.clientWidth });
    });
  }
  function fromPaper() {
    if (before === null) { return; }
    setTheme(before);
    before = null;
    drawn.forEach(function (slug) {
      var place = document.getElementById(slug);
      place.style.width = "";
      window.Plotly.purge(place); // it would keep the paper's width
    });
    soil();
    if (links.length) { show(shown); } else { drawShown(); }
  }
  window.addEventListener("beforeprint", toPaper);
  window.addEventListener("afterprint", fromPaper);

  if (typeof DecompressionStream === "undefined") { failed(); return; }
  unpack().then(function () {
    fold();
    return drawAll().then(function () { // what was asked for has moved since the page was opened
      var target = targetOf();
      if (target && !target.classList.contains("sheet")) { target.scrollIntoView({ behavior: "instant" }); }
    });
  }).then(function () { root.setAttribute("data-ready", "true"); }).catch(failed);
})();
