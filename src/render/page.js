"use strict";
(() => {
  // Each game becomes a board to play through. The moves are data of the page: the squares that each one changes.
  const NAMESPACE = document.querySelector("svg").namespaceURI;
  const SQUARES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
  const BUTTONS = [
    ["first", "First position (Home)", "M6 5v14M19 5l-9 7 9 7z"],
    ["back", "One move back (←)", "M16 5l-9 7 9 7z"],
    ["next", "One move on (→)", "M8 5l9 7-9 7z"],
    ["last", "Last position (End)", "M18 5v14M5 5l9 7-9 7z"],
    ["flip", "Turn the board (f)", "M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4"],
  ];

  const draw = (name, attributes, parent) => {
    const element = document.createElementNS(NAMESPACE, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (parent) parent.append(element);
    return element;
  };
  const make = (name, properties, parent) => {
    const element = Object.assign(document.createElement(name), properties);
    if (parent) parent.append(element);
    return element;
  };

  const placed = (fen) => {
    const board = new Array(64).fill(".");
    let [rank, file] = [7, 0];
    for (const letter of fen) {
      if (letter === "/") [rank, file] = [rank - 1, 0];
      else if (letter >= "1" && letter <= "8") file += Number(letter);
      else board[rank * 8 + file++] = letter;
    }
    return board;
  };

  // The tree of moves: a node for the start and one for each move, in the order of the page.
  const tree = (article) => {
    const { line = "", evals = "", clocks = "", marks = "", ply = "0" } = article.dataset;
    const texts = article.querySelectorAll(".moves b");
    const [scores, times] = [evals.split(" "), clocks.split(" ")];
    const marked = new Map(marks.split(",").map((entry) => [parseInt(entry), entry.split(" ").slice(1)]));
    const start = { parent: null, children: [], ply: Number(ply), changes: [], main: true, marks: marked.get(0) || [] };
    const nodes = [start];
    const waiting = [];
    let last = start;
    for (const token of line.split(" ")) {
      if (token === "") continue;
      if (token === "(") {
        waiting.push(last);
        last = last.parent;
      } else if (token === ")") last = waiting.pop();
      else {
        const changes = [];
        for (let at = 0; at + 1 < token.length; at += 2) changes.push([SQUARES.indexOf(token[at]), token[at + 1]]);
        const index = nodes.length - 1;
        const node = {
          parent: last, children: [], ply: last.ply + 1, changes, main: waiting.length === 0,
          text: texts[index], score: scores[index], time: times[index], marks: marked.get(index + 1) || [],
        };
        last.children.push(node);
        nodes.push(node);
        last = node;
      }
    }
    return nodes;
  };

  class Game {
    constructor(article) {
      this.article = article;
      this.start = placed(article.dataset.start || START);
      this.flipped = "flipped" in article.dataset;
      this.nodes = tree(article);
      this.main = this.nodes.filter((node) => node.main);
      // Until a move is chosen, the page shows the initial position of a set-up game, and the final one of another.
      this.node = null;
      this.svg = article.querySelector(".view .board");
      this.caption = article.querySelector(".view figcaption");
      this.caption.setAttribute("aria-live", "polite");
      this.ending = this.caption.textContent;
      this.beginning = "start" in article.dataset ? this.ending : "Initial position";
      this.nodes.forEach((node) => node.text && Object.assign(node.text, { role: "button", tabIndex: -1 }));
      if (this.main.length > 1) this.main[1].text.tabIndex = 0;
      this.opened = this.main["start" in article.dataset ? 0 : this.main.length - 1];
      this.addButtons();
      this.addCurves();
      this.listen();
    }

    addButtons() {
      const bar = make("div", { className: "buttons" });
      bar.setAttribute("role", "toolbar");
      bar.setAttribute("aria-label", "Play through the game");
      this.svg.after(bar);
      for (const [action, title, path] of BUTTONS) {
        const button = make("button", { type: "button", title, onclick: () => this[action]() }, bar);
        button.setAttribute("aria-label", title);
        draw("path", { d: path }, draw("svg", { viewBox: "0 0 24 24" }, button));
      }
    }

    addCurves() {
      const plies = this.main.length - 1;
      this.curves = [...this.article.querySelectorAll(".curve > svg")].map((svg) => {
        const jump = (event) => {
          const { left, width } = svg.getBoundingClientRect();
          const ply = Math.round(((event.clientX - left) / width) * plies);
          this.show(this.main[Math.min(Math.max(ply, 0), plies)]);
        };
        svg.addEventListener("pointerdown", (event) => {
          svg.setPointerCapture(event.pointerId);
          jump(event);
        });
        svg.addEventListener("pointermove", (event) => svg.hasPointerCapture(event.pointerId) && jump(event));
        return draw("line", { class: "now", y2: "100%" }, svg);
      });
    }

    listen() {
      this.article.querySelector(".moves").addEventListener("click", ({ target }) => this.choose(target));
      this.article.querySelector(".moves").addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          if (this.choose(event.target)) event.preventDefault();
        }
      });
      // A short touch steps by the half of the board, a swipe by its direction.
      let from = null;
      this.svg.addEventListener("pointerdown", (event) => { from = event; });
      this.svg.addEventListener("pointerup", (event) => {
        if (!from) return;
        const [x, y] = [event.clientX - from.clientX, event.clientY - from.clientY];
        const { left, width } = this.svg.getBoundingClientRect();
        from = null;
        if (Math.abs(x) > 30 && Math.abs(x) > 2 * Math.abs(y)) x < 0 ? this.next() : this.back();
        else if (Math.abs(x) + Math.abs(y) < 10) event.clientX - left < width / 2 ? this.back() : this.next();
      });
      this.svg.addEventListener("pointercancel", () => { from = null; });
    }

    choose(target) {
      const text = target.closest("b");
      const node = text && this.nodes.find((node) => node.text === text);
      if (node) this.show(node);
      return Boolean(node);
    }

    first() { this.show(this.main[0]); }
    last() { this.show(this.main[this.main.length - 1]); }
    back() {
      const node = this.node || this.opened;
      this.show(node.parent || node);
    }
    next() { this.show(this.node ? this.node.children[0] || this.node : this.main[Math.min(1, this.main.length - 1)]); }
    flip() {
      this.flipped = !this.flipped;
      this.show(this.node || this.opened);
    }

    // The next or the previous alternative to the move. Whether there is one.
    alternative(step) {
      const siblings = this.node && this.node.parent ? this.node.parent.children : [];
      const other = siblings[siblings.indexOf(this.node) + step];
      if (other) this.show(other);
      return Boolean(other);
    }

    board(node) {
      const path = [];
      for (let at = node; at; at = at.parent) path.push(at);
      const board = this.start.slice();
      path.reverse().forEach(({ changes }) => changes.forEach(([square, piece]) => { board[square] = piece; }));
      return board;
    }

    corner(square) {
      const [file, rank] = [square % 8, square >> 3];
      return this.flipped ? [7 - file, rank] : [file, 7 - rank];
    }

    show(node) {
      this.node = node;
      this.drawBoard(node);
      const old = this.article.querySelector("b[aria-current]");
      if (old) {
        old.removeAttribute("aria-current");
        old.tabIndex = -1;
      }
      const number = Math.floor((node.ply - 1) / 2) + 1 + (node.ply % 2 ? ". " : "... ");
      let label = node.text ? number + node.text.textContent : this.beginning;
      this.svg.setAttribute("aria-label", node.text ? "Position after " + label : label);
      if (node.score) label += "   " + evaluation(node.score);
      if (node.time) label += "   ◷ " + clock(Number(node.time));
      this.caption.textContent = label;
      if (node.text) {
        node.text.setAttribute("aria-current", "true");
        node.text.tabIndex = 0;
      }
      let main = node;
      while (!main.main) main = main.parent;
      const share = (100 * this.main.indexOf(main)) / Math.max(this.main.length - 1, 1) + "%";
      this.curves.forEach((line) => {
        line.setAttribute("x1", share);
        line.setAttribute("x2", share);
      });
    }

    drawBoard(node) {
      const { svg } = this;
      svg.replaceChildren();
      draw("use", { href: "#B0" }, svg);
      node.changes.slice(0, 2).forEach(([square]) => {
        const [x, y] = this.corner(square);
        draw("rect", { class: "last", x, y, width: 1, height: 1 }, svg);
      });
      draw("use", { href: this.flipped ? "#B2" : "#B1" }, svg);
      const named = (name) => "abcdefgh".indexOf(name[0]) + 8 * (Number(name[1]) - 1);
      node.marks.filter((mark) => mark.length === 3).forEach((mark) => {
        const [x, y] = this.corner(named(mark.slice(1)));
        draw("rect", { class: "mark " + mark[0], x, y, width: 1, height: 1 }, svg);
      });
      this.board(node).forEach((piece, square) => {
        if (piece === ".") return;
        const [x, y] = this.corner(square);
        draw("use", { href: "#c" + piece, x, y }, svg);
      });
      node.marks.filter((mark) => mark.length === 5).forEach((mark) => {
        const [from, to] = [mark.slice(1, 3), mark.slice(3)].map((name) => this.corner(named(name)));
        const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        const length = Math.hypot(dx, dy);
        if (length === 0) return;
        const turn = `translate(${from[0] + 0.5} ${from[1] + 0.5}) rotate(${(Math.atan2(dy, dx) * 180) / Math.PI})`;
        const path = `M.22-.1H${length - 0.5}V-.3L${length - 0.04} 0 ${length - 0.5} .3V.1H.22z`;
        draw("path", { class: "arrow " + mark[0], transform: turn, d: path }, svg);
      });
    }

    print() {
      this.shown = this.node;
      if (this.node) this.show(this.opened);
      this.caption.textContent = this.ending;
    }

    restore() {
      if (this.shown) this.show(this.shown);
    }
  }

  const evaluation = (score) => {
    if (score[0] === "#") return score;
    const pawns = Math.abs(score / 100).toFixed(2);
    return (score > 0 ? "+" : score < 0 ? "−" : "") + pawns;
  };

  const clock = (seconds) => {
    const digits = (number) => String(number).padStart(2, "0");
    const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
    return hours ? `${hours}:${digits(minutes % 60)}:${digits(seconds % 60)}` : `${minutes}:${digits(seconds % 60)}`;
  };

  const articles = [...document.querySelectorAll("article.game")];
  const games = new Map();
  const game = (article) => {
    if (!games.has(article)) games.set(article, new Game(article));
    return games.get(article);
  };

  // A game becomes playable when it comes into view: a page may have a thousand.
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) {
        observer.unobserve(target);
        game(target);
      }
    }
  }, { rootMargin: "100% 0px" });
  articles.forEach((article) => observer.observe(article));

  // Keys act on the game that was used last, if it is visible, otherwise on the first one in the middle of the window.
  let used = null;
  for (const kind of ["pointerdown", "focusin"]) {
    document.addEventListener(kind, ({ target }) => { used = target.closest("article.game") || used; });
  }
  const isSeen = (article, margin) => {
    const { top, bottom } = article.getBoundingClientRect();
    return top < innerHeight - margin && bottom > margin;
  };
  const current = () => (used && isSeen(used, 0) ? used : null)
    || articles.find((article) => isSeen(article, innerHeight / 2)) || articles.find((article) => isSeen(article, 0));

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const article = current();
    if (!article) return;
    const actions = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", f: "flip" };
    const [action, one] = [actions[event.key], game(article)];
    if (action) one[action]();
    else if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    else if (!one.alternative(event.key === "ArrowUp" ? -1 : 1)) return;
    event.preventDefault();
    // Beside the board the text follows; what is under a pointer stays where it is.
    const text = one.node && one.node.text;
    if (text && matchMedia("(min-width: 60rem)").matches) text.scrollIntoView({ block: "nearest" });
  });

  addEventListener("beforeprint", () => games.forEach((one) => one.print()));
  addEventListener("afterprint", () => games.forEach((one) => one.restore()));
  document.documentElement.classList.add("js");
})();
