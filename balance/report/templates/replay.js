(function () {
  "use strict";
  var SIDE = 24;
  var data = JSON.parse(document.getElementById("replays").textContent);

  // Every position from the changes: going back is then as cheap as going on.
  function positions(game) {
    var places = game.start.slice(), points = game.points, tiles = laid({}, [].concat.apply([], game.tiles));
    var all = [{ places: places, points: points, tiles: tiles }];
    game.frames.forEach(function (frame) {
      var moves = frame[3];
      places = places.slice();
      for (var i = 0; i < moves.length; i += 3) { places[moves[i]] = [moves[i + 1], moves[i + 2]]; }
      points = frame[4] || points;
      if (frame[5]) { tiles = laid(tiles, frame[5]); }
      all.push({ places: places, points: points, tiles: tiles });
    });
    return all;
  }

  // Tiles after some changes: node, side, word.
  function laid(before, changes) {
    var now = Object.assign({}, before);
    for (var i = 0; i < changes.length; i += 3) { now[changes[i]] = [changes[i + 1], changes[i + 2]]; }
    return now;
  }

  function open(root, game) {
    var states = positions(game), last = game.frames.length, at = last, timer = null;
    var slider = root.querySelector("input[type=range]");
    var play = root.querySelector("[data-do=play]"), speed = root.querySelector("[data-do=speed]");
    var what = root.querySelector(".what"), when = root.querySelector(".when"), ending = when.textContent;
    var arena = root.querySelector("svg.arena"), trail = root.querySelector(".trail");
    var cursor = root.querySelector("svg.line .cursor"), spans = root.querySelectorAll(".ply");
    var pieces = root.querySelectorAll(".piece"), title = arena && arena.getAttribute("aria-label").replace(/, final position$/, "");
    var texts = Array.prototype.map.call(spans, function (span) { return span.textContent; });

    function spot(node) { return [game.spots[node][0] * SIDE + SIDE / 2, game.spots[node][1] * SIDE + SIDE / 2]; }

    function movePieces(now, before) {
      var path = "";
      pieces.forEach(function (piece, index) {
        var place = now.places[index], old = before.places[index], changed = place[0] !== old[0] || place[1] !== old[1];
        piece.classList.toggle("off", place[0] < 0);
        piece.classList.toggle("changed", changed);
        if (place[0] >= 0) { piece.style.transform = "translate(" + spot(place[0]).join("px,") + "px)"; }
        piece.querySelector(".number").textContent = place[1];
        if (place[0] !== old[0] && old[0] >= 0 && place[0] >= 0) { path += "M" + spot(old[0]) + "L" + spot(place[0]); }
      });
      trail.setAttribute("d", path);
    }

    function layTiles(now) {
      root.querySelectorAll(".laid").forEach(function (drawn) {
        var tile = now.tiles[drawn.getAttribute("data-node")] || [-1, ""];
        drawn.setAttribute("class", "laid" + (tile[0] < 0 ? "" : " side-" + tile[0]) + (tile[1] ? "" : " off"));
        drawn.querySelector("text").textContent = tile[1];
      });
    }

    function tell(now) {
      root.querySelectorAll("[data-piece]").forEach(function (item) {
        var place = now.places[item.getAttribute("data-piece")];
        item.querySelector(".where").textContent = place[0] < 0 ? "off the board" : game.nodes[place[0]];
        item.querySelector("b").textContent = place[1];
      });
      root.querySelectorAll(".points").forEach(function (item) {
        item.querySelector("b").textContent = now.points[item.getAttribute("data-side")];
      });
      root.querySelectorAll(".left").forEach(function (item) { item.querySelector("b").textContent = left(now, item); });
    }

    function left(now, item) {
      var seat = Number(item.getAttribute("data-seat"));
      return now.places.filter(function (place, index) { return game.owners[index] === seat && place[0] >= 0; }).length;
    }

    function words() {
      if (at === 0) { return ["Start", "Nothing has been decided yet."]; }
      var frame = game.frames[at - 1];
      var turn = frame[0] ? "Turn " + frame[0] : "Before turn 1";
      var came = consequences(states[at - 1], states[at]);
      return [
        turn + ", decision " + at + " of " + last + (at === last ? ". " + ending : ""),
        frame[1] + ": " + texts[at - 1] + (came.length ? ". " + came.join("; ") : "")
      ];
    }

    // Who left the board, and whose points changed.
    function consequences(before, now) {
      var came = [];
      now.places.forEach(function (place, index) {
        if (place[0] < 0 && before.places[index][0] >= 0) {
          came.push((game.names[index] || "A piece") + " of " + game.seats[game.owners[index]][0] + " leaves the board");
        }
      });
      now.points.forEach(function (points, side) {
        var more = points - before.points[side];
        if (more) { came.push(game.pointsName + " " + game.sides[side] + " " + (more > 0 ? "+" : "\u2212") + Math.abs(more)); }
      });
      return came;
    }

    function show(number) {
      at = Math.max(0, Math.min(last, number));
      var now = states[at], said = words();
      if (arena) {
        movePieces(now, states[Math.max(0, at - 1)]);
        layTiles(now);
        arena.setAttribute("aria-label", title + (at ? ", after decision " + at : ", at the start"));
      }
      tell(now);
      when.textContent = said[0];
      what.textContent = said[1];
      slider.value = at;
      slider.setAttribute("aria-valuetext", at + " of " + last + ". " + said[1]);
      cursor.setAttribute("d", "M" + (last ? at * 1000 / last : 0).toFixed(1) + " 0V60");
      root.querySelectorAll(".ply.here").forEach(function (span) { span.classList.remove("here"); });
      if (at) { spans[at - 1].classList.add("here"); }
      root.setAttribute("data-at", at);
      if (at === last) { stop(); }
    }

    function stop() {
      clearInterval(timer);
      timer = null;
      play.textContent = "\u25b6 Play";
      play.setAttribute("aria-label", "Play");
      what.setAttribute("aria-live", "polite");
    }

    function start() {
      if (at === last) { show(0); }
      clearInterval(timer);
      timer = setInterval(function () { show(at + 1); }, Number(speed.value));
      play.textContent = "\u275a\u275a Pause";
      play.setAttribute("aria-label", "Pause");
      what.setAttribute("aria-live", "off"); // nobody can listen at that pace
    }

    // The next frame in a direction of which `wanted` holds, else the end of the game there.
    function seek(way, wanted) {
      for (var number = at + way; number > 0 && number < last; number += way) {
        if (wanted(game.frames[number - 1], number)) { return number; }
      }
      return way > 0 ? last : 0;
    }

    function marked(frame) { return frame[2] === game.mark; }
    function ends(frame, number) { return game.frames[number][0] !== frame[0]; }

    function faster(way) {
      speed.selectedIndex = Math.max(0, Math.min(speed.options.length - 1, speed.selectedIndex + way));
      if (timer !== null) { start(); }
    }

    function halted(number) { stop(); show(number); }

    var does = {
      start: function () { halted(0); },
      end: function () { halted(last); },
      back: function () { halted(at - 1); },
      on: function () { halted(at + 1); },
      earlier: function () { halted(seek(-1, marked)); },
      later: function () { halted(seek(1, marked)); },
      turnBack: function () { halted(seek(-1, ends)); },
      turnOn: function () { halted(seek(1, ends)); },
      play: function () { if (timer === null) { start(); } else { stop(); } },
      faster: function () { faster(1); },
      slower: function () { faster(-1); }
    };
    var keys = {
      " ": "play", ArrowLeft: "back", ArrowRight: "on", ArrowUp: "turnBack", ArrowDown: "turnOn", Home: "start", End: "end",
      n: "later", p: "earlier", "+": "faster", "-": "slower"
    };

    root.querySelectorAll("button[data-do]").forEach(function (button) {
      button.addEventListener("click", does[button.getAttribute("data-do")]);
    });
    speed.addEventListener("change", function () { faster(0); });
    slider.addEventListener("input", function () { halted(Number(slider.value)); });
    // What has keys of its own keeps them: the slider its arrows, a button its space.
    function own(target, key) {
      if (target.tagName === "SELECT" || target.closest("details")) { return true; }
      if (target.tagName === "BUTTON") { return key === " "; }
      return target === slider && key !== " " && key.length > 1;
    }
    root.addEventListener("keydown", function (event) {
      var name = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!name || own(event.target, event.key) || event.ctrlKey || event.metaKey || event.altKey) { return; }
      event.preventDefault();
      does[name]();
    });

    // Paper shows how it ended.
    var kept = null;
    window.addEventListener("beforeprint", function () { if (kept === null) { kept = at; halted(last); } });
    window.addEventListener("afterprint", function () { if (kept !== null) { show(kept); kept = null; } });

    root.querySelector(".controls").hidden = false;
    root.querySelector(".keys").hidden = false;
    root.querySelector("details").open = false;
    // The board stands ready where the first turn begins.
    show(Math.max(0, game.frames.findIndex(function (frame) { return frame[0] > 0; })));
  }

  Object.keys(data).forEach(function (slug) { open(document.getElementById(slug), data[slug]); });
})();
