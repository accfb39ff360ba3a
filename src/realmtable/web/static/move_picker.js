// @ts-check
// Turns clicks into a move: lights up what can be chosen next, offers the rest as buttons, previews a choice, and hands
// over the move once it is unambiguous.

import { Board, watchPointer } from "./board.js";
import { byRole, html, render } from "./html.js";
import { continuations, isPrefix, moveToConfirm, pathAfterClick, splitLabel, turnDirections } from "./click_paths.js";

const PREVIEW_AFTER_MS = 140;
const NOTE_AFTER_MS = 60; // sooner than the preview
const LOST_MS = 1000; // taps this soon after the loss of a choice were meant to go on with it
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
  title = ""; // of the question, if the game gives it one
  choicesHeight = 0; // of the first answers to it, in pixels
  /** @type {Prompt | null} */
  asked = null; // the question as the game asks it
  /** @type {ChoiceCard[]} */
  cards = []; // what the game says about some first choices
  // What is loaded with the first drawing:
  /** @type {typeof import("./question.js") | undefined} */
  words;
  /** @type {(() => void) | undefined} */
  drawQuestion;
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
    const bar = byRole("action-panel");
    bar.addEventListener("click", (event) => {
      const { pick, move, answer, places } = /** @type {HTMLElement} */ (event.target.closest("button"))?.dataset ?? {};
      if (!pick && !move && !answer && !places) return;
      const asked = `${this.moveCount} ${this.key}`;
      const isMeantForLast = event.detail > 1 && this.clickedAt !== asked; // a double click reaches the next question
      this.clickedAt = asked;
      event.stopPropagation(); // redrawn, the same button may mean something else to the page
      if (isMeantForLast) return;
      if (answer) this.answer(answer === "yes");
      if (places) this.words?.showPlaces(this, this.cards[+places].handles, true);
      else if (pick) this.pick(pick);
      else if (move) this.play(move);
    });
    bar.addEventListener("toggle", ({ target }) => target.matches("[data-group]") && this.words?.noteGroup(this, target), true);
    /** @param {HTMLElement} target */
    const pointAtButton = (target) => {
      const { pick, places } = target.closest("button")?.dataset ?? {};
      this.words?.showPlaces(this, places ? this.cards[+places]?.handles : []);
      point(pick);
    };
    bar.addEventListener("focusin", ({ target }) => pointAtButton(target));
    bar.addEventListener("focusout", () => point());
    // A caption that appears may move the buttons. A pointer that rests points at the same button as before.
    const hasMoved = watchPointer();
    bar.addEventListener("pointerover", (event) => hasMoved(event) && pointAtButton(event.target));
    bar.addEventListener("pointerleave", (event) => {
      if (hasMoved(event)) pointAtButton(bar);
      else document.addEventListener("pointermove", ({ target }) => bar.contains(target) || point(), { once: true });
    });
  }

  /**
   * Shows what the game asks the player to do; without a title, the text or the words for what can be clicked are the question.
   * @param {Prompt | null} prompt @param {ChoiceCard[]} [cards]
   */
  setPrompt(prompt, cards = []) {
    this.title = prompt?.title ?? "";
    this.task = this.title ? "" : (prompt?.text ?? null);
    this.cards = cards;
    this.asked = prompt;
    const rule = byRole("rule");
    if (rule) Object.assign(rule, { href: prompt?.rules ?? "", hidden: !prompt?.rules, textContent: `Rule ${prompt?.clause}` });
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
    render(byRole("caption"), shown.length ? this.describePath(shown) : "");
    if (shown !== path && complete.length === 1) this.timer = setTimeout(() => this.preview(complete[0].move), PREVIEW_AFTER_MS);
  }

  /** What a path does once it is a move, or how it goes on. @param {string[]} path */
  describePath(path) {
    return this.words?.describePath(this, path) ?? "";
  }

  /** Says what `handle` is, unless it was just clicked, and what can be done instead of choosing it. @param {any} handle */
  describeUnavailable(handle) {
    const instead = this.path.length ? this.describePath(this.path) : "";
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

  /** @param {string} handle */
  nameOf(handle) {
    const place = this.board.handles.get(handle);
    const label = () => splitLabel(this.labels[handle] ?? handle).label;
    return place?.dataset.card ?? place?.getAttribute("aria-label") ?? (this.board.isTurned() ? turnDirections(label()) : label());
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
    byRole("go-back").hidden = !path.length || !!pending;
    document.body.classList.toggle("can-go-back", path.length > 0);
    this.drawQuestion = () => {
      this.words?.drawButtons(this, { next, complete, confirmable });
      this.words?.drawQuestion(this);
      this.updateCaption();
    };
    if (this.words) this.drawQuestion();
    else this.loadWords();
    const others = confirmable ? [] : [...next].filter((handle) => this.buttonText(handle));
    const last = path.length && !others.length && !complete.length ? [...next].map((handle) => board.handles.get(handle)) : [];
    if (last.length && !last.some((place) => board.picture.contains(place))) this.listener.continueAt?.(last[0]);
  }

  async loadWords() {
    this.words = await import("./question.js");
    this.drawQuestion?.();
  }

  /** The buttons that need a confirmation: they stand apart from the others. */
  rareHandles() {
    const at = this.path.length;
    return new Set(this.choices.flatMap(({ path }) => (path.length > at + 1 && path[at] === path[at + 1] ? path[at] : [])));
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
