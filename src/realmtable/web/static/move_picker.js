// @ts-check
// Turns clicks into a move: lights up what can be chosen next, offers the rest as buttons, previews a choice, and hands
// over the move once it is unambiguous.

import { Board, watchPointer } from "./board.js";
import { byRole, html, render } from "./html.js";
import { commonWords, continuations, isPrefix, moveToConfirm, pathAfterClick, splitLabel, turnDirections } from "./click_paths.js";

const PREVIEW_AFTER_MS = 140;
const NOTE_AFTER_MS = 60; // sooner than the preview
const LOST_MS = 1000; // taps this soon after the loss of a choice were meant to go on with it
const MAX_NAMED = 3; // buttons that a caption can name
const AGAIN = matchMedia("(pointer: coarse)").matches ? "Tap it again" : "Click it again";
const BACK = "back"; // the handle with which a game takes back a choice itself
const MAX_FLAT = 12; // more buttons than this are folded by group

/** Splits off a preposition at the end: "Base on" becomes ["Base", " on"]. @param {string} words */
const splitPreposition = (words) => /** @type {string[]} */ (words.match(/^(.*?)( (?:at|from|on|onto|to))?$/)).slice(1).map((part) => part ?? "");

export class MovePicker {
  key = ""; // of the question
  clickedAt = ""; // the question at the last click on a button
  /** @type {Choice[]} */
  choices = [];
  /** @type {Record<string, string>} */
  labels = {};
  idleText = "";
  /** @type {Map<string, Promise<Moment | null> | undefined>} */
  previews = new Map();
  /** @type {string[]} */
  path = [];
  pending = ""; // the move being sent
  moveCount = 0; // moves chosen so far: the next question may come with the same picture
  question = ""; // asked before it is sent
  openGroup = ""; // the group of buttons that is unfolded
  /** @type {Map<string | undefined, Note | null>} */
  notes = new Map(); // what handles of this question start or do: {text, words by move}, null while it is fetched
  lostUntil = 0; // taps on the board count again from then on
  picked = ""; // the handle clicked last, while the pointer stays on it
  /** @type {string | Markup | null} */
  task = null; // a sentence on what to do, instead of one made from the choices; "" if the page shows it elsewhere

  /** @param {PickerListener} listener */
  constructor(listener) {
    this.listener = listener;
    /** @param {string} [handle] */
    const point = (handle) => this.pointAt(handle);
    this.board = new Board({
      pick: (handle) => this.pick(handle),
      point,
      focus: () => this.clearReason(),
      cancel: (handle) => this.cancel(handle),
      miss: (handle) => listener.miss?.(this.nameOf(handle)),
      turn: () => this.draw(),
      reveal: (element) => listener.reveal?.(element),
    });
    const bar = byRole("choices");
    bar.addEventListener("click", (event) => {
      const { pick, move, answer } = event.target.dataset;
      const asked = `${this.moveCount} ${this.key}`;
      const isMeantForLast = event.detail > 1 && this.clickedAt !== asked; // a double click reaches the next question
      this.clickedAt = asked;
      if (isMeantForLast) return event.stopPropagation();
      if (answer) this.answer(answer === "yes");
      if (pick || move || answer) event.stopPropagation(); // redrawn, the same button may mean something else to the page
      if (pick) this.pick(pick);
      else if (move) this.play(move);
    });
    bar.addEventListener("toggle", ({ target }) => this.groups?.noteGroup(this, target), true);
    bar.addEventListener("focusin", ({ target }) => point(target.dataset.pick));
    bar.addEventListener("focusout", () => point());
    // A caption that appears may move the buttons. A pointer that rests points at the same button as before.
    const hasMoved = watchPointer();
    bar.addEventListener("pointerover", (event) => hasMoved(event) && point(event.target.dataset.pick));
    bar.addEventListener("pointerleave", (event) => {
      if (hasMoved(event)) point();
      else document.addEventListener("pointermove", ({ target }) => bar.contains(target) || point(), { once: true });
    });
  }

  /**
   * Shows what the game asks the player to do: with a title above the caption, without one as the caption.
   * @param {Prompt | null} prompt
   */
  setPrompt(prompt) {
    const isBlock = !!prompt?.title;
    this.task = isBlock ? "" : (prompt?.text ?? null);
    if (isBlock) document.body.classList.add("has-prompt"); // reserves its space from now on
    const block = byRole("prompt");
    if (block) render(block, isBlock ? promptText(prompt) : "");
  }

  /**
   * Sets new choices and the caption for when there are none; under the same `key` a started path is kept if it can be.
   * @param {string} key @param {Choice[]} choices @param {Record<string, string>} labels @param {string} idleText
   */
  setChoices(key, choices, labels, idleText) {
    const isNew = choices.length > 0 && (key !== this.key || !this.choices.length);
    const lit = String(this.board.litHandles());
    this.choices = choices.map((choice) => this.addWords(choice));
    Object.assign(this, { labels, idleText });
    if (key !== this.key) {
      this.listener.clear?.();
      if (this.question) this.answer(false);
      Object.assign(this, { key, path: [], pending: "", at: undefined, previews: new Map(), notes: new Map() });
    } else if (!isPrefix(choices, this.path)) this.dropPath();
    this.draw();
    if (isNew || lit !== String(this.board.litHandles())) this.board.follow(); // a turn may begin with the same picture
    if (isNew) this.board.scrollToChoices();
  }

  /** Drops a path that has become impossible, and says so unless its own move was the reason. */
  dropPath() {
    if (this.path.length && !this.pending) {
      this.lostUntil = performance.now() + LOST_MS;
      this.listener.lose?.(this.chosenName);
    }
    if (this.board.zoom) import("./enlarged_place.js").then(({ showZoom }) => showZoom());
    this.path = [];
  }

  hasJustLost() {
    return performance.now() < this.lostUntil;
  }

  /** Clears the answer to an earlier click, but not yet the words on a choice that has just been lost. */
  clearReason() {
    if (!this.hasJustLost()) this.listener.clear?.();
  }

  /** @param {string} handle */
  pick(handle) {
    if (this.hasJustLost() && this.board.handles.has(handle)) return;
    if (this.question) this.answer(false);
    if (this.pending) return;
    this.picked = handle;
    const path = pathAfterClick(this.choices, this.path, handle);
    if (this.strays(path, handle)) return this.listener.refuse?.(this.path, handle);
    if (!path.length && handle !== this.path.at(-1)) return this.refuse(handle);
    this.goTo(path, path.length ? handle : undefined);
    const { next, complete } = continuations(this.choices, this.path);
    if (this.path.length && complete.length === 1 && !next.size) this.play(complete[0].move);
  }

  /**
   * Whether a click on the board would leave a path that a button started, so that another kind of move would begin.
   * @param {string[]} path @param {string} handle
   */
  strays(path, handle) {
    const [first] = this.path;
    const { handles } = this.board;
    if (first === undefined || moveToConfirm(this.choices, this.path)) return false;
    return !handles.has(first) && handles.has(handle) && path[0] !== first;
  }

  /** Says why `handle` cannot follow the path. The path is kept, unless only its confirmation was missing. @param {string} handle */
  refuse(handle) {
    const { path } = this;
    this.goTo(moveToConfirm(this.choices, path) ? [] : path, handle);
    if (!this.choices.length) this.listener.idle?.(handle);
    else this.listener.refuse?.(path, handle);
  }

  /** @param {string} [handle] */
  cancel(handle) {
    if (handle) this.refuse(handle);
    else this.goTo([]);
  }

  /** Sets the path; `at` is the handle being pointed at, if that led there. @param {string[]} path @param {string} [at] */
  goTo(path, at) {
    if (this.question) return this.answer(false);
    if (this.pending) return;
    this.listener.clear?.();
    const goesOn = path.length > this.path.length && !this.board.dragStart;
    Object.assign(this, { path, at });
    if (path.length) this.chosenName = this.nameOf(path[0]);
    this.draw();
    if (goesOn) this.board.follow();
    if (path.length) this.board.scrollToChoices();
    if (path.length) this.fetchNote(path[0]);
  }

  /** Learns what choosing a handle starts or does, and what the moves that start with it do. @param {string} handle */
  async fetchNote(handle) {
    const { notes, listener } = this;
    if (!listener.note || notes.has(handle)) return;
    notes.set(handle, null);
    const note = await listener.note(handle);
    if (!note) return void notes.delete(handle);
    if (notes !== this.notes) return;
    notes.set(handle, note);
    this.choices = this.choices.map((choice) => this.addWords(choice));
    if (this.path.length) this.draw();
    else this.updateCaption();
    if (this.path.length) this.board.scrollToChoices(); // a longer caption may cover them
  }

  /** @param {Choice} choice @returns {Choice} */
  addWords(choice) {
    return { ...choice, words: choice.words ?? this.notes.get(choice.path[0])?.words[choice.move] };
  }

  /** Plays a move, after a question if the page has one; `isForced` skips it. @param {string} move @param {boolean} [isForced] */
  async play(move, isForced) {
    this.pending = move;
    this.moveCount += 1;
    this.question = (!isForced && this.listener.question?.(move)) || "";
    this.draw();
    if (this.question && !(await this.ask())) return;
    if (!this.listener.staysPut?.()) this.board.moving?.moveAhead(this.board, this.choices, move);
    await this.listener.play(move);
    if (this.pending !== move) return; // a new scene came first
    this.board.moving?.takeBack(this.board);
    Object.assign(this, { pending: "", path: [], at: undefined }); // a refusal stays, or the next question with the same picture
    this.draw();
    this.board.follow();
  }

  /** Waits for the answer to the question; resolves to whether it was yes. */
  async ask() {
    byRole("choices").querySelector("[data-answer]")?.focus(); // Enter confirms
    const isYes = await new Promise((resolve) => (this.resolve = resolve));
    if (isYes) this.draw();
    return isYes;
  }

  /** @param {boolean} isYes */
  answer(isYes) {
    this.question = "";
    this.resolve?.(isYes);
    if (isYes) return;
    this.pending = "";
    this.goTo([]);
  }

  /** @param {string} [handle] */
  pointAt(handle) {
    /** @type {string | undefined} */
    this.at = handle;
    if (handle !== this.picked) this.picked = "";
    this.updateCaption();
    clearTimeout(this.noteTimer);
    const isOffered = this.board.explains() && !this.path.length && !!handle && isPrefix(this.choices, [handle]);
    if (isOffered) this.noteTimer = setTimeout(() => this.fetchNote(handle), NOTE_AFTER_MS);
  }

  /** Describes, and after a moment previews, the current path or the one that pointing at a handle would lead to. */
  updateCaption() {
    clearTimeout(this.timer);
    if (this.pending) return void (byRole("caption").textContent = this.question || "Sending your move…");
    const { choices, path, at } = this;
    this.board.showPreview();
    const shown = !at || path.includes(at) ? path : [[...path, at], [at]].find((way) => isPrefix(choices, way));
    if (!shown) return this.describeUnavailable(at);
    const { complete } = continuations(choices, shown);
    render(byRole("caption"), this.describePath(shown));
    if (shown !== path && complete.length === 1) this.timer = setTimeout(() => this.preview(complete[0].move), PREVIEW_AFTER_MS);
  }

  /** What a path does once it is a move, or how it goes on. @param {string[]} path */
  describePath(path) {
    const { next, complete } = continuations(this.choices, path);
    const move = moveToConfirm(this.choices, path) ?? (next.size ? null : complete[0]);
    if (!move) return html`${next.size ? this.prompt(path, [...next]) : this.idleText}`;
    const words = move.words ?? move.move;
    const asks = path === this.path && next.size;
    if (asks && !this.board.handles.has(path[0])) return html`${words}?`; // its button is the answer
    const name = this.nameOf(path[0]);
    const note = path.length === 1 && this.board.explains() && this.notes.get(path[0])?.text;
    return asks ? html`${!words.includes(name) && html`<span class="about">${name}</span> `}${words}? ${AGAIN} to confirm.` : html`${words}${note && `. ${note}`}`;
  }

  /** Says what `handle` is, unless it was just clicked, and what can be done instead of choosing it. @param {any} handle */
  describeUnavailable(handle) {
    const instead = this.choices.length ? this.describePath(this.path) : this.idleText;
    const name = handle === this.picked ? "" : this.nameOf(handle).replace(/\.$/, "");
    render(byRole("caption"), instead ? html`${name && html`<span class="about">${name}.</span> `}${instead}` : html`${name}`);
  }

  /** @param {string} move */
  async preview(move) {
    const { previews, at, path } = this;
    if (!previews.has(move)) previews.set(move, this.listener.preview(move));
    const moment = await previews.get(move)?.catch(() => null);
    if (!moment || this.at !== at || this.path !== path || this.pending) return;
    this.board.showPreview(moment.picture, moment.layers);
    const note = !path.length && this.board.explains() && this.notes.get(at)?.text;
    const words = moment.words.replace(/^[^:]+: /, ""); // the player knows who they are
    byRole("caption").textContent = note ? `${words}. ${note}` : words;
  }

  /** A sentence on what to click after `path`. @param {string[]} path @param {string[]} next */
  prompt(path, next) {
    if (!path.length && this.task !== null) return this.task;
    const { handles, picture } = this.board;
    const lit = next.filter((handle) => handles.has(handle));
    const buttons = next.length - lit.length;
    const useButton = `use ${buttons > 1 ? "a" : "the"} button below.`;
    const alternative = buttons ? `, or ${useButton}` : ".";
    const question = !lit.length && this.questionAfter(path, next);
    if (question) return question;
    const subject = this.nameMover(path) || path.map((handle) => this.shortNameOf(handle)).join(", then ").replace(/\.$/, "");
    if (!lit.length && subject && next.length <= MAX_NAMED) return `${subject}: ${next.map((handle) => this.nameOf(handle).replace(/^./, (first) => first.toLowerCase())).join(" or ")}`;
    if (!lit.length) return subject ? `${subject}: ${useButton}` : useButton.replace("u", "U");
    const note = path.length === 1 && this.notes.get(path[0])?.text;
    const ownNoun = handles.get(lit[0])?.dataset.noun ?? picture.querySelector("svg")?.dataset.noun;
    const noun = lit.some((handle) => !picture.contains(handles.get(handle))) ? "entry" : (ownNoun ?? (this.board.hasGrid() ? "space" : "card"));
    if (note) return `${note} Pick a highlighted ${noun}${alternative}`;
    if (path.length) return noun === "space" && !buttons && handles.has(path[0]) ? `${subject}: where to?` : `${subject}: pick a highlighted ${noun}${alternative}`;
    const [words, preposition] = splitPreposition(commonWords(this.choices));
    if (this.choices.length === 1 && words) return `${words}${preposition}.`;
    if (this.movesPiece(lit)) return `Move a highlighted piece${alternative}`;
    if (!words) return `Pick a highlighted ${noun}${alternative}`;
    return preposition || noun === "space" ? `${words}: pick a highlighted ${noun}${alternative}` : `${words} a ${noun}${alternative}`;
  }

  /**
   * The question that is the group of all buttons in `next`, after what `path` has settled; empty if there is none.
   * @param {string[]} path @param {string[]} next
   */
  questionAfter(path, next) {
    const [group, ...others] = new Set(next.map((handle) => splitLabel(this.labels[handle] ?? "").group));
    if (others.length || !group.endsWith("?")) return "";
    const [settled] = commonWords(this.choices.filter((choice) => isPrefix([choice], path))).split(/,[^,]*$/);
    return settled ? `${settled}. ${group}` : group;
  }

  /**
   * What the moves that start with `path` have in common, if they name its end and differ in the place: "Frog from b2".
   * @param {string[]} path
   */
  nameMover(path) {
    const matching = path.length ? this.choices.filter((choice) => isPrefix([choice], path)) : [];
    const [words, preposition] = splitPreposition(commonWords(matching));
    return preposition && words.split(" ").includes(path.at(-1)) ? words : "";
  }

  /** Whether every move that starts at one of these handles goes on to another place on the board. @param {string[]} starts */
  movesPiece(starts) {
    const moves = this.choices.filter(({ path: [first] }) => starts.includes(first));
    return moves.every(({ path: [first, second] }) => second !== first && this.board.handles.has(second));
  }

  /** @param {string} handle */
  nameOf(handle) {
    const place = this.board.handles.get(handle);
    const label = () => splitLabel(this.labels[handle] ?? handle).label;
    return place?.dataset.card ?? place?.getAttribute("aria-label") ?? (this.board.isTurned() ? turnDirections(label()) : label());
  }

  /** A shorter name of a place whose label starts with its handle and ends with a piece: "White Agent on b2". @param {string} handle */
  shortNameOf(handle) {
    const name = this.nameOf(handle);
    const [place, ...facts] = name.split(", ");
    return place === handle && /^\p{Lu}/u.test(facts.at(-1)) ? `${facts.at(-1)} on ${place}` : name;
  }

  draw() {
    const { choices, path, pending, board } = this;
    const { next, complete } = continuations(pending ? [] : choices, path);
    const confirmable = pending ? null : moveToConfirm(choices, path);
    board.setMarks(this.marks(next, confirmable));
    this.listener.marked?.();
    const isSent = !!pending && !this.question;
    document.body.classList.toggle("sending", isSent);
    if (confirmable || this.zoomed || (isSent && board.zoom)) import("./enlarged_place.js").then(({ showZoom }) => showZoom(board.handles.get(this.zoomed)));
    this.zoomed = confirmable && board.picture.contains(board.handles.get(path.at(-1))) && path.at(-1);
    const buttons = [...next].filter((handle) => this.buttonText(handle));
    const rare = this.rareHandles();
    const rank = (/** @type {string} */ handle) => (rare.has(handle) ? 2 : +(handle === BACK));
    const others = confirmable ? [] : buttons.sort((one, other) => rank(one) - rank(other));
    document.body.classList.toggle("can-go-back", path.length > 0 || next.has(BACK));
    if (this.question) return this.drawQuestion();
    const isCrowded = others.length > MAX_FLAT;
    if (isCrowded && !this.groups) import("./choice_groups.js").then((groups) => ((this.groups = groups), this.draw()));
    render(byRole("choices"), html`${(confirmable ? [confirmable] : complete).map(({ move, words }) => html`<button class="primary" data-move="${move}">${confirmable || complete.length > 1 ? (words ?? move) : "Done"}</button>`)}
      ${isCrowded ? this.groups?.foldButtons(this, others) : others.map((handle) => this.choiceButton(handle, next.size - +next.has(BACK) === 1, rare))}
      ${path.length > 0 && !pending && html`<button class="quiet" data-do="escape">Back</button>`}`.trim());
    this.updateCaption();
    const last = path.length && !others.length && !complete.length ? [...next].map((handle) => board.handles.get(handle)) : [];
    if (last.length && !last.some((place) => board.picture.contains(place))) this.listener.continueAt?.(last[0]);
  }

  drawQuestion() {
    render(byRole("choices"), html`<button class="primary" data-answer="yes">Confirm</button><button data-answer="no">Cancel</button>`);
    this.updateCaption();
  }

  /** The buttons that need a confirmation: they stand apart from the others. */
  rareHandles() {
    const at = this.path.length;
    return new Set(this.choices.flatMap(({ path }) => (path.length > at + 1 && path[at] === path[at + 1] ? path[at] : [])));
  }

  /** @param {string} handle @param {boolean} [isOnly] @param {Set<string>} [rare] */
  choiceButton(handle, isOnly, rare) {
    return html`<button class="${rare?.has(handle) ? "quiet rare" : handle === BACK ? "quiet" : isOnly && "primary"}" data-pick="${handle}">${this.buttonText(handle)}</button>`;
  }

  /**
   * The text of a handle's button; empty if the picture has the place and asks for no button (data-button) as well.
   * @param {string} handle
   */
  buttonText(handle) {
    const place = this.board.handles.get(handle);
    return place ? place.dataset.button : this.nameOf(handle);
  }

  /** The mark of each handle that has one, for Board.setMarks. @param {Set<string>} next @param {Choice | null | undefined} confirmable */
  marks(next, confirmable) {
    const { choices, path } = this;
    const marks = new Map(path.map((handle) => [handle, "chosen"]));
    const isLast = (/** @type {string} */ handle) => continuations(choices, [handle]).complete.length || moveToConfirm(choices, [handle]);
    for (const handle of next) marks.set(handle, path.length || isLast(handle) ? "target" : "lit");
    if (!confirmable) return marks;
    marks.set(path.at(-1), "chosen target");
    for (const handle of continuations(choices, []).next) if (!marks.has(handle)) marks.set(handle, "target");
    return marks;
  }
}

/** @param {Prompt} prompt */
function promptText({ title, text, progress, clause, rules }) {
  const [at, of] = progress ?? [];
  return html`<p><b>${title}</b> ${progress && html`<progress max="${of}" value="${at}" aria-label="${at} of ${of}"></progress>`}</p>
    <p>${text} ${rules && html`<a href="${rules}" target="_blank">Rule ${clause}</a>`}</p>`.trim();
}
