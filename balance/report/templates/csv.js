// Every table as a file of numbers: intervals in two columns, units in the head, minus signs as machines write them.
(function () {
  "use strict";
  var NUMBER = "[+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)";
  var KINDS = [
    { test: new RegExp("^(" + NUMBER + ")(?: (%|pp))?$"), heads: [""] },
    { test: new RegExp("^(" + NUMBER + ") to (" + NUMBER + ")$"), heads: [" low", " high"] },
    { test: new RegExp("^(" + NUMBER + ")(?: (?:%|pp))? \\((" + NUMBER + ") to (" + NUMBER + ")\\)$"), heads: ["", " low", " high"] },
  ];

  function plain(text) {
    return text.trim().replace(/\u2212/g, "-").replace(/(\d),(?=\d{3})/g, "$1");
  }

  function quoted(text) { return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text; }

  // A name that begins like a formula must stay a name in a spreadsheet.
  function name(text) { return /^[=+\-@\t\r]/.test(text) ? "'" + text : text; }

  function column(cells, head) {
    var filled = cells.filter(function (cell) { return cell && cell !== "\u2013"; });
    var kind = KINDS.find(function (one) {
      return filled.length && filled.every(function (cell) { return one.test.test(cell); });
    });
    if (!kind) { return { heads: [name(head)], rows: cells.map(function (cell) { return [name(cell)]; }) }; }
    var units = filled.map(function (cell) { return (/ (%|pp)(?: |$)/.exec(cell) || [])[1] || ""; });
    var unit = units[0] && units.every(function (one) { return one === units[0]; }) ? " (" + units[0] + ")" : "";
    return {
      heads: kind.heads.map(function (end) { return name(head + end + unit); }),
      rows: cells.map(function (cell) {
        var found = kind.test.exec(cell);
        return kind.heads.map(function (_, place) { return found ? found[place + 1].replace(/^\+/, "") : ""; });
      }),
    };
  }

  function csv(table) {
    var words = Array.prototype.map.call(table.tHead.rows[0].cells, function (cell) { return cell.textContent.trim(); });
    var numbers = Array.prototype.map.call(table.tHead.rows[0].cells, function (cell) { return cell.classList.contains("n"); });
    var rows = Array.prototype.slice.call(table.tBodies[0].rows);
    var columns = words.map(function (head, place) {
      var cells = rows.map(function (row) {
        var cell = row.cells[place], face = cell.querySelector(".face");
        var text = face ? cell.textContent.slice(face.textContent.length) : cell.textContent;
        return numbers[place] ? plain(text) : text.trim();
      });
      return numbers[place] ? column(cells, head) : { heads: [name(head)], rows: cells.map(function (cell) { return [name(cell)]; }) };
    });
    var lines = [columns.map(function (one) { return one.heads; })].concat(rows.map(function (_, line) {
      return columns.map(function (one) { return one.rows[line]; });
    }));
    return lines.map(function (line) { return [].concat.apply([], line).map(quoted).join(","); }).join("\r\n") + "\r\n";
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest("button.csv");
    if (!button) { return; }
    var table = button.parentNode.previousElementSibling.querySelector("table");
    var link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff" + csv(table)], { type: "text/csv;charset=utf-8" }));
    link.download = (table.caption.textContent.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "table") + ".csv";
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
  });
})();
