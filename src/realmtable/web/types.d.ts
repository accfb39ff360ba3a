// What the scripts of the pages share: the shapes of what the server sends, and what templates promise. It is read by the
// type check (`make scripts`), never by a browser. Answers have more fields than scripts use: see server/tables/scenes.

type Board = import("./static/board.js").Board;
type BoardPage = import("./static/board_page.js").BoardPage;
type MoveList = import("./static/move_list.js").MoveList;
type MovePicker = import("./static/move_picker.js").MovePicker;
type SoundName = keyof typeof import("./static/sounds.js").SOUNDS;
type Markup = ReturnType<typeof import("./static/html.js").html>;

/** A scene or a change of one, as the server sends it: fields, some of which are objects with an entry for each part. */
type SentScene = Record<string, any>;
type Entries = Record<string, any>;

// Games and moves

/** A legal move and the handles to click for it. */
interface Choice {
  move: string;
  path: string[];
  words?: string;
}

/** What can be chosen, with the labels of handles that differ from their names. */
interface Choices {
  choices: Choice[];
  labels: Record<string, string>;
}

/** What choosing a handle starts, and what each move does that starts with it. */
interface Note {
  text: string;
  words: Record<string, string>;
}

interface Prompt {
  title?: string;
  text: string | Markup;
  progress?: [number, number] | null;
  clause?: string;
  rules?: string | null;
}

/** A sentence for the player, with the rule behind it if there is one. */
interface Reason {
  sentence: string;
  clause?: string | null;
  rules?: string | null;
}

/** An error to show: one that `request` rejects with, or a message of the page's own. */
interface Refusal {
  message: string;
  code?: string;
  clause?: string | null;
  rules?: string | null;
  status?: number;
}

interface Layer {
  name: string;
  key: string;
  svg?: string | null;
  url?: string;
}

interface Panel {
  id: string;
  title: string;
  badge: string;
  opens: boolean;
  svg: string;
  rows: PanelRow[];
}

interface PanelRow {
  label: string;
  value: string;
  handle: string;
}

interface Result {
  text: string;
  reason: string;
  ranking?: number[];
  scores?: number[] | null;
  reached?: boolean[];
}

/** How one seat's score came about. */
interface Tally {
  seat: number;
  name: string;
  rank: number;
  reached: boolean | null;
  total: number;
  lines: TallyLine[];
  sheet: string | null;
}

interface TallyLine {
  title: string;
  points: number;
  reason: string;
  struck: boolean;
}

/** What a board shows: the position of a table, a replay, a puzzle, a lesson or a line that is explored. */
interface Moment extends Choices {
  step: number;
  position: string; // not of a live table
  words: string; // what happened last; not of a live table
  picture: string;
  layers: Layer[];
  panels: Panel[];
  prompt: Prompt | null;
  acting: number[];
  last: string[][];
  result: Result | null;
  tallies: Tally[];
  bell?: Clock | null;
  chips: Chip[]; // of a moment by number
  turn_steps: TurnStep[];
  choice_cards: ChoiceCard[];
  moment: GameMoment | null;
  tie_break: TieBreak | null;
  card?: Card | null; // of the step that led to a moment
  seat?: number | null; // which took that step
}

// What a game tells the page of its table: see engine/table_parts.py

interface Fact {
  icon: string;
  value: string;
  label: string;
}

interface Total {
  value: string;
  label: string;
  of: string;
  icon: string;
  share: number | null;
}

interface Chip {
  icon: string;
  facts: Fact[];
  total: Total | null;
}

interface TurnStep {
  title: string;
  note: string;
  state: "done" | "now" | "later" | "lost";
  icon: string;
}

interface ChoiceCard {
  title: string;
  handles: string[];
  note: string;
  icon: string;
  cost: string;
  gain: string;
  off: string;
  is_main: boolean;
}

interface GameMoment {
  title: string;
  text: string;
  icon: string;
  parts: [string, string][];
  at: number;
}

interface Roll {
  dice: number[];
  counts: boolean[];
  additions: [string, string][];
  result: string;
  rows: string[];
  row: number | null;
}

interface Card {
  title: string;
  text?: string;
  icon?: string;
  svg?: string;
  roll?: Roll;
  handles?: string[];
  concerns?: number[];
  weight: number;
}

interface TieBreak {
  title: string;
  columns: [string, string][];
  values: string[][];
  decides: number;
  text: string;
}

/** A table as its viewer sees it, as `readScene` returns it. */
interface Scene extends Moment {
  table: string;
  game: string;
  title: string;
  headline: string;
  sub: string;
  latest: string;
  status: "open" | "running" | "over";
  version: number;
  now: number;
  seats: Seat[];
  you: number[];
  your_turn: boolean;
  can: string[];
  offer: { seat: number; what: string; words: string } | null;
  clock: { kind: "none" | "live" | "days" };
  answer: Clock | null;
  first_step: Clock | null;
  claim: { seat: number; possible_at: number } | null;
  lines: Line[];
  earlier: boolean;
  topics: Topic[];
  news: { version: number; kind: string; seat: number | null; text: string; words: string; card?: Card }[];
  chat: Message[];
  chat_open: boolean;
  watching: number;
  invite: string;
  rated: boolean;
  chance: boolean;
  explorable: boolean;
  plays_forced: boolean;
  rematch: string | null;
  rematch_by: string | null;
  next_bots: string | null;
  score_units: string[];
}

interface Seat {
  seat: number;
  name: string;
  player: Player | null;
  bot: string | null;
  rating: { value: number; plus_minus: number } | null;
  connected: boolean | null;
  away_since: number | null;
  clock: Clock | null;
  timed_out: Player | null;
}

interface Player {
  id: string;
  name: string;
  kind: string;
}

/** With the server's time at which it ends, if it is running. */
interface Clock {
  remaining_s?: number;
  until?: number | null;
}

/** A message of the chat. */
interface Message {
  version: number;
  name: string;
  player: string;
  text: string;
}

/** A line of the list of moves. */
interface Line {
  turn: number;
  seat: number;
  text: string;
  steps: [number, number];
  topic?: string;
  mark?: string;
  comment?: string;
  variations?: { text: string; moves: string[] }[];
}

interface Topic {
  topic: string;
  title: string;
}

/** A turn of a line of play that an engine found. */
interface LineTurn {
  number: number;
  seat: number;
  text: string;
  moves: string[];
}

/** A turn of an analysed game. */
interface AnalysedTurn {
  number: number;
  seat: number;
  text: string;
  mark: string;
  steps: [number, number];
  reason: string;
  chance: number;
  shares?: number[];
  proven: boolean;
  best: { turns: LineTurn[]; chance: number; shares?: number[] } | null;
}

interface Advice {
  needs: string[];
  charts: AdviceChart[];
  heading: { cards: { held: boolean; picture: string }[] } | null;
}

interface AdviceChart {
  title: string;
  note: string;
  low: number;
  high: number;
  from: number;
  choices: AdviceChoice[];
}

interface AdviceChoice {
  words: string;
  text: string;
  shown: string;
  span: string;
  best: boolean;
  move: string | null;
  value: number;
  low: number;
  high: number;
}

/** A good turn, or the game's own advice. */
interface Hint {
  askedAt: number; // the step
  text: string;
  moves: string[];
  words: string[];
  paths: string[][];
  reason: string;
  advice: Advice | null;
  warming: boolean;
}

// Pages

/** What can be clicked: a place of a picture, or a row of a panel. */
type Place = SVGGraphicsElement | HTMLElement;

/** The places by their handles; none has no handle. */
interface Places extends Map<string, Place> {
  get(handle: string | false | null | undefined): Place | undefined;
  has(handle: string | undefined): boolean;
  set(handle: string | undefined, place: Place): this;
}

/** What a page does for the board page it has. */
interface PageOptions {
  source: string | null;
  game: string;
  seats?(): Seat[]; // without a live table
  afterSeats?(): void;
  waitingNote?(): Prompt | null; // below the words for whom the player waits
  play(move: string): Promise<unknown>;
  preview?(move: string): Promise<Moment | null>;
  idleText(): string;
  onDraw(): void;
  undo?(): unknown;
  note?(handle: string): Promise<Note | null>;
  question?(move: string): string | false | undefined;
  staysPut?(): boolean;
  plan?(): (Choices & { task: string }) | null | undefined | false;
  onIdlePick?(handle: string): void;
  why?(path: string[], handle: string): Promise<Reason | null>;
}

/** What a page does for the move picker it has. */
interface PickerListener {
  play(move: string): Promise<unknown>;
  preview(move: string): Promise<Moment | null> | undefined;
  question?(move: string): string | false | undefined;
  staysPut?(): boolean; // whether a move is not to be shown before the answer
  idle?(handle: string): void;
  note?(handle: string): Promise<Note | null> | false | undefined;
  refuse?(path: string[], handle: string): void;
  miss?(name: string): void;
  lose?(name?: string): void;
  clear?(): void;
  reveal?(element: Place | undefined): void;
  marked?(): void;
  continueAt?(element: Place | undefined): void;
}

/** What the move picker does for the board it has. */
interface BoardListener {
  pick(handle: string): void;
  point(handle?: string): void;
  focus(): void;
  cancel(handle?: string): void;
  miss(handle: string): void;
  turn(): void;
  reveal(element: Place | undefined): void;
}

/** The elements with a data-role that are more than an HTMLElement, or that not every page of their scripts has. */
interface Roles {
  "analysis-bar": HTMLProgressElement;
  auto: HTMLElement | null;
  back: HTMLButtonElement;
  "board-link": HTMLAnchorElement | null;
  "chat-form": HTMLFormElement;
  "chat-text": HTMLInputElement;
  confirm: HTMLDialogElement;
  "confirm-draw": HTMLDialogElement;
  "decline-rematch": HTMLButtonElement;
  discard: HTMLTextAreaElement;
  "edit-fold": HTMLDetailsElement;
  engine: HTMLInputElement;
  filters: HTMLFormElement;
  flip: HTMLElement | null;
  following: HTMLElement | null;
  form: HTMLFormElement;
  forward: HTMLButtonElement;
  hand: HTMLTextAreaElement;
  help: HTMLDialogElement;
  hint: HTMLButtonElement;
  icon: HTMLLinkElement;
  "invite-fold": HTMLDetailsElement;
  "invite-link": HTMLInputElement;
  levels: HTMLDetailsElement;
  next: HTMLButtonElement;
  "next-bots": HTMLButtonElement;
  notation: HTMLInputElement;
  notify: HTMLElement;
  "notify-switch": HTMLInputElement;
  "panel-pages": HTMLElement | null;
  panels: HTMLElement | null;
  "picture-link": HTMLAnchorElement | null;
  "position-text": HTMLInputElement;
  "latest-move": HTMLElement | null;
  retry: HTMLElement | null;
  rule: HTMLAnchorElement | null;
  scores: HTMLElement | null;
  settings: HTMLFormElement;
  slider: HTMLInputElement;
  start: HTMLAnchorElement;
  streak: HTMLElement | null;
  takeback: HTMLButtonElement;
  topics: HTMLElement | null;
  whatif: HTMLElement | null;
  winner: HTMLElement | null;
}

/** The element with a role; roles that a script computes are those of buttons. */
type ElementOf<Role extends string> = string extends Role ? HTMLButtonElement : Role extends keyof Roles ? Roles[Role] : HTMLElement;

// The browser

/** What selectors find, as our pages use them. */
interface ParentNode {
  querySelector<Role extends string>(selectors: `[data-role="${Role}"]`): ElementOf<Role>;
  querySelector(selectors: `meta${string}`): HTMLMetaElement | null;
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  querySelector(selectors: `${":scope > " | ""}svg${string}`): SVGSVGElement | null;
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll(selectors: `:scope > g${string}`): NodeListOf<SVGGElement>;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}
interface Element {
  changedAt?: number; // see simultaneous_changes.js
  countStart?: number; // see score_reveal.js
  closest<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  closest(selectors: string): HTMLElement | null;
  setAttribute(name: string, value: unknown): void; // which becomes a text
}
interface Node {
  contains(other: Node | null | undefined): boolean;
}

/** The targets of events in our pages: fields change and are filled in, forms are sent, folds are opened. */
interface Targets {
  change: HTMLInputElement;
  input: HTMLInputElement;
  submit: HTMLFormElement;
  toggle: HTMLDetailsElement;
}
type On<E, Type = ""> = E & { target: Type extends keyof Targets ? Targets[Type] : HTMLElement };
interface HTMLElement {
  addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: (event: On<HTMLElementEventMap[K], K>) => unknown, options?: boolean | AddEventListenerOptions): void;
}
interface HTMLFormElement {
  addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: (event: On<HTMLElementEventMap[K], K>) => unknown, options?: boolean | AddEventListenerOptions): void;
}
interface HTMLInputElement {
  addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: (event: On<HTMLElementEventMap[K], K>) => unknown, options?: boolean | AddEventListenerOptions): void;
}
interface Document {
  getElementById(id: string): HTMLElement;
  addEventListener<K extends keyof DocumentEventMap>(type: K, listener: (event: On<DocumentEventMap[K], K>) => unknown, options?: boolean | AddEventListenerOptions): void;
}

/** An element counted from the end is there, as one at an index is; `filter(Boolean)` leaves out what is not. */
interface Array<T> {
  at(index: -1): T;
  filter(predicate: BooleanConstructor): Exclude<T, null | undefined | false | "" | 0>[];
}

interface JSON {
  parse(text: string | null): any; // null is the text "null"
}
interface HTMLFormControlsCollection {
  [name: string]: any;
}
interface Navigator {
  standalone?: boolean; // on iPhone and iPad
}

/** Our own events. */
interface HTMLElementEventMap {
  serialise: CustomEvent<Record<string, any>>;
}
interface DocumentEventMap {
  panel: CustomEvent<string>; // the panel that is shown now, if any
  waiting: CustomEvent<{ count?: number; here?: number }>;
  turn: Event;
}
