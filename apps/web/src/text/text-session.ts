import { history, undo, undoDepth, redo, redoDepth } from '@codemirror/commands'
import {
  Annotation,
  ChangeSet,
  Compartment,
  EditorState,
  type Extension,
  Text,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { applyEntityEdits, type EntityEdit } from '@cadmus/model/edits/entity-edits'
import { type Column, columnsOf } from '@cadmus/model/columns'
import { primaryKeyOf } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'
import type { Steps } from '@cadmus/model/steps'
import { changing, type TextChange } from '@cadmus/model/text/changes'
import type { Mark, MarkedText, TextEntity, TextModel, TextReading } from '@cadmus/model/text/marked-text'
import { printing, printModel } from '@cadmus/model/text/print'
import { reading } from '@cadmus/model/text/read'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { holdTyped } from '../ui/typed-text.ts'
import { SlicedWork } from './sliced-work.ts'
import { markedNames, marksOf, moved, setMarks, withNew } from './marks.ts'

/** Milliseconds without typing after which the text is read. */
const rest = 400

/** A model, and by id the stored states that its entities are based on. */
export type Snapshot<S> = { model: TextModel; seen: S }

/** A text with comments or lines that are not applied, and the print of the model that it was last in step with. */
export type Unapplied = { printed: MarkedText; shown: MarkedText }
/** `typed`: what turns the print into the text. */
type Stored = Unapplied & { typed: readonly TextChange[] }

type Edits = ReadonlyMap<number, readonly EntityEdit[]>

export type TextSessionOptions<S> = {
  /** The model with all unsaved changes; null while it is not read. */
  snapshot: () => Snapshot<S> | null
  /** Makes the edits of the text in the drafts, as one step of the user. `seen`: what they are based on. */
  apply: (edits: Edits, seen: S) => void
  /** Takes a text that was to be shown again, if the model has changed in its lines. */
  leftOut?: (text: string) => void
  extensions?: Extension
}

export type TextState = {
  /** False until the model is read. */
  isShown: boolean
  /** What the text means; null while it is not read since it was typed. */
  reading: TextReading | null
  /** The model has changed where the text has unread or broken lines. */
  isBehind: boolean
}

/** A change of the text that does not come from typing. */
const isOfModel = Annotation.define<true>()
const ofModel = [isOfModel.of(true), Transaction.addToHistory.of(false)]

/** A model, its print if it was needed, and a text that says the same in the layout of the user. */
type Base<S> = Snapshot<S> & { printed: MarkedText | null; text: MarkedText }

/** The changes of a text that follow a model, and what it means with them. */
type Followed = { changes: ChangeSet; printed: MarkedText; reading: TextReading }

/**
 * The text of a model, both ways. `#base` is what the text was last in step with, `#pending` leads from there to the text: what is typed and
 * not read yet, or broken. Edits of the text are those against the base, so that changes by others in between stay.
 */
export class TextSession<S = unknown> {
  readonly store: StoreApi<TextState> = createStore(() => ({
    isShown: false,
    reading: null,
    isBehind: false,
  }))
  readonly #options: TextSessionOptions<S>
  readonly #history = new Compartment()
  #state: EditorState
  #view: EditorView | null = null
  #base: Base<S> | null = null
  #shown: Snapshot<S> | null = null
  #pending = ChangeSet.empty(0)
  #reading: SlicedWork<TextReading> | null = null
  #following: { next: Snapshot<S>; work: Pick<SlicedWork<unknown>, 'cancel'> } | null = null
  #answers: ReadonlyMap<number, string | null> = new Map()
  readonly #removed = new Map<string, Column>()
  #unapplied: Stored | null = null
  #isApplying = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #release: (() => void) | undefined

  constructor(options: TextSessionOptions<S>) {
    this.#options = options
    this.#state = EditorState.create({
      extensions: [markedNames(), this.#history.of(history()), options.extensions ?? []],
    })
  }

  get state(): EditorState {
    return this.#state
  }

  /** The model that the text was last in step with. */
  get model(): TextModel | null {
    return this.#base?.model ?? null
  }

  /** Whether the text says what the model is, as far as it was read. */
  get isSettled(): boolean {
    const { reading } = this.store.getState()
    return reading !== null && isClear(reading) && !hasOpen(reading)
  }

  get text(): MarkedText {
    return { text: this.#state.doc.toString(), marks: marksOf(this.#state) }
  }

  /** Shows the text in a view until the returned function is called. */
  attach(view: EditorView): () => void {
    this.#view = view
    return () => {
      this.#view = null
      view.destroy()
    }
  }

  /** Takes transactions of the view. */
  update(transactions: readonly Transaction[], view: EditorView): void {
    view.update(transactions)
    this.#state = view.state
    for (const transaction of transactions) this.#followTyping(transaction)
  }

  dispatch(spec: TransactionSpec): void {
    this.#run(this.#state.update(spec))
  }

  /** Types a text in place of a stretch, or at the end. */
  type(insert: string, from = this.#state.doc.length, to = from): void {
    this.dispatch({ changes: { from, to, insert }, userEvent: 'input.paste' })
    this.read()
  }

  /** What a reload would lose; null if the text is as the model is printed. */
  *unapplied(): Steps<Unapplied | null> {
    const base = this.#base
    if (!base) return null
    base.printed ??= yield* printing(base.model)
    const { text: shown } = this
    return shown.text === base.printed.text ? null : { printed: base.printed, shown }
  }

  /** A text to show instead of the print of the model, as far as that has not changed since. Before the model is shown. */
  showAgain(unapplied: Stored): void {
    this.#unapplied = unapplied
  }

  /** The model has changed: what is not typed over follows it. */
  refresh(): void {
    // A draft is opened before its edits are made.
    if (this.#isApplying) return
    const next = this.#options.snapshot()
    if (!next || next === this.#following?.next) return
    if (next === this.#shown && !this.store.getState().isBehind) return
    this.#following?.work.cancel()
    this.#following = null
    const base = this.#base
    if (!base) this.#prepare(next, beginning(next, this.#unapplied), begun => this.#start(next, begun))
    else if (isSameModel(base.model, next.model)) this.#adopt(base, next)
    else this.#prepare(next, followed(base, next.model), result => this.#follow(result, next))
  }

  #prepare<T>(next: Snapshot<S>, steps: Steps<T>, done: (result: T) => void): void {
    const work = new SlicedWork(steps, result => {
      this.#following = null
      done(result)
    })
    this.#following = { next, work }
    work.start()
  }

  /** Reads the text now; what it says becomes a step of the drafts unless something is to be decided first. */
  read(): void {
    this.#readInSlices(work => work.finish())
  }

  #readInSlices(run: (work: SlicedWork<TextReading>) => void = work => work.start()): void {
    clearTimeout(this.#timer)
    this.#reading?.cancel()
    if (!this.#base) return
    const { text } = this
    const steps = reading(text, { ...this.#base.model, removed: this.#removed }, this.#answers)
    this.#reading = new SlicedWork(steps, result => this.#settle(text, result))
    run(this.#reading)
  }

  #settle(text: MarkedText, result: TextReading): void {
    this.store.setState({ reading: result })
    if (isClear(result)) this.#take(text, result)
    this.#hold()
    if (this.store.getState().isBehind) this.refresh()
  }

  /** Answers which of the candidates a name is; null: it is new. */
  answer(offset: number, uid: string | null): void {
    this.#answers = new Map([...this.#answers, [offset, uid]])
    this.read()
  }

  /** Brings tables back that are missing from the text. */
  putBack(missing: readonly TextEntity[]): void {
    if (!this.#base) return
    const { entities, others } = this.#base.model
    const named = entities.map(({ content: { uid, name }, ...entity }) => ({ ...entity, uid, name }))
    const { text, marks } = printModel({ project: null, entities: missing, others: [...others, ...named] })
    const from = this.#state.doc.length
    const gap = from === 0 ? '' : '\n'
    const start = from + gap.length
    const placed = marks.map(mark => ({ ...mark, from: mark.from + start, to: mark.to + start }))
    this.dispatch({ changes: { from, insert: gap + text }, effects: setMarks.of(withNew(this.text.marks, placed)) })
    this.read()
  }

  /** Moves the caret to a place and into view. */
  goTo(at: number): void {
    this.dispatch({ selection: { anchor: Math.min(at, this.#state.doc.length) }, scrollIntoView: true })
    this.#view?.focus()
  }

  /** Takes back or makes again what is typed and not applied. */
  stepTyped(direction: 'undo' | 'redo'): boolean {
    const depth = direction === 'undo' ? undoDepth : redoDepth
    if (depth(this.#state) === 0) return false
    const target = { state: this.#state, dispatch: (transaction: Transaction) => this.#run(transaction) }
    return direction === 'undo' ? undo(target) : redo(target)
  }

  #run(transaction: Transaction): void {
    if (this.#view) return this.update([transaction], this.#view)
    this.#state = transaction.state
    this.#followTyping(transaction)
  }

  #start(next: Snapshot<S>, { printed, followed: again }: Begun): void {
    const length = this.#state.doc.length
    this.#shown = next
    this.#base = { ...next, printed, text: printed }
    this.#pending = ChangeSet.empty(printed.text.length)
    const changes = { from: 0, to: length, insert: printed.text }
    this.dispatch({ changes, effects: setMarks.of(printed.marks), annotations: ofModel })
    // What is printed means what is shown.
    const reading = { ...emptyReading, marks: printed.marks }
    if (this.#unapplied && again) this.#startAgain(next, this.#unapplied, again)
    this.store.setState({ isShown: true, reading: this.#pending.empty ? reading : null })
    this.#hold()
    if (!this.#pending.empty) this.#readInSlices()
  }

  #startAgain(next: Snapshot<S>, { printed, shown, ...stored }: Stored, again: Followed): void {
    this.#unapplied = null
    const typed = ChangeSet.of([...stored.typed], printed.text.length)
    if (isTouched(printed.text, again.changes, typed)) return this.#options.leftOut?.(shown.text)
    this.#base = { ...next, printed, text: printed }
    this.#pending = typed
    const changes = { from: 0, to: this.#state.doc.length, insert: shown.text }
    this.dispatch({ changes, effects: setMarks.of(shown.marks), annotations: ofModel })
    this.#show(again, next)
  }

  /** The model says the same, on other stored states. */
  #adopt(base: Base<S>, next: Snapshot<S>): void {
    this.#shown = next
    this.#base = { ...base, ...next }
    if (this.store.getState().isBehind) this.store.setState({ isBehind: false })
  }

  /** What is typed is pending, and read after a rest. */
  #followTyping(transaction: Transaction): void {
    const { docChanged, changes } = transaction
    if (!docChanged || transaction.annotation(isOfModel)) return
    this.#pending = this.#pending.compose(changes)
    this.#answers = new Map([...this.#answers].map(([offset, uid]) => [changes.mapPos(offset, 1), uid]))
    this.store.setState({ reading: null })
    this.#hold()
    this.#reading?.cancel()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#readInSlices(), rest)
  }

  /** Commands, closing and leaving read the text first. Broken text stays and stops none of them. */
  #hold(): void {
    if (this.isSettled) {
      this.#release?.()
      this.#release = undefined
    } else {
      this.#release ??= holdTyped(
        () => {
          if (this.store.getState().reading === null) this.read()
          return true
        },
        { isStored: true },
      )
    }
  }

  /** What the text says becomes a step. */
  #take({ text }: MarkedText, { edits, marks }: TextReading): void {
    const base = this.#base
    if (!base) return
    const model = withEdits(base.model, edits)
    for (const column of lostColumns(base.model, model)) this.#removed.set(column.uid, column)
    this.#answers = new Map()
    this.#pending = ChangeSet.empty(text.length)
    this.#base = { ...base, model, printed: edits.size === 0 ? base.printed : null, text: { text, marks } }
    this.#following?.work.cancel()
    this.#following = null
    this.dispatch({ effects: setMarks.of(withNew(marks, this.#marksInComments(marks))), annotations: ofModel })
    if (edits.size > 0) {
      // From here on the steps of the drafts are what Undo takes back.
      this.dispatch({ effects: this.#history.reconfigure([]) })
      this.dispatch({ effects: this.#history.reconfigure(history()) })
      this.#isApplying = true
      this.#options.apply(edits, base.seen)
      this.#isApplying = false
    }
    this.refresh()
  }

  /** Unless lines are concerned that are typed over. */
  #follow(followed: Followed, next: Snapshot<S>): void {
    const isBehind = isTouched(this.#base?.text.text ?? '', followed.changes, this.#pending)
    if (!isBehind) this.#show(followed, next)
    if (isBehind !== this.store.getState().isBehind) this.store.setState({ isBehind })
  }

  /** Changes the text of the base, and what is typed on top stays. */
  #show({ changes, printed, reading: result }: Followed, next: Snapshot<S>): void {
    const base = this.#base
    if (!base) return
    const isRead = this.#pending.empty
    const text = changes.apply(Text.of(base.text.text.split('\n'))).toString()
    const typed = changes.map(this.#pending)
    this.#pending = this.#pending.map(changes, true)
    this.#shown = next
    this.#base = { ...next, printed, text: { text, marks: result.marks } }
    const read = moved(result.marks, this.#pending).filter(isPlaced)
    const marks = isRead
      ? withNew(read, moved(this.#marksInComments(), typed))
      : withNew(moved(marksOf(this.#state), typed), read)
    this.dispatch({ changes: typed, effects: setMarks.of(marks), annotations: ofModel })
    if (isRead) this.store.setState({ reading: result })
    if (this.#reading?.isOver === false) this.#readInSlices()
    this.#hold()
  }

  /** A line that became a comment may come back. `read`: marks of names, which are none. */
  #marksInComments(read: readonly Mark[] = []): readonly Mark[] {
    if (this.#removed.size === 0) return []
    const names = new Set(read.map(({ from }) => from))
    return marksOf(this.#state).filter(({ uid, from }) => this.#removed.has(uid) && !names.has(from))
  }
}

const emptyReading = {
  problems: [],
  doubts: [],
  edits: new Map(),
  added: [],
  links: new Map(),
  missing: [],
  enumerations: null,
  choosing: new Map(),
}

/** The print of a model, and how one of an earlier model follows it. */
type Begun = { printed: MarkedText; followed: Followed | null }

function* beginning<S>(next: Snapshot<S>, unapplied: Unapplied | null): Steps<Begun> {
  const printed = yield* printing(next.model)
  if (!unapplied) return { printed, followed: null }
  const before = { ...next, printed: unapplied.printed, text: unapplied.printed }
  return { printed, followed: yield* followed(before, next.model) }
}

/** How the text of a base follows a model. */
function* followed<S>(base: Base<S>, model: TextModel): Steps<Followed> {
  base.printed ??= yield* printing(base.model)
  const printed = yield* printing(model)
  const { text, marks } = base.text
  const changes = ChangeSet.of([...(yield* changing(base.text, printed, base.printed))], text.length)
  const after = changes.apply(Text.of(text.split('\n'))).toString()
  return { changes, printed, reading: yield* reading({ text: after, marks: moved(marks, changes) }, model) }
}

function isSameModel(one: TextModel, other: TextModel): boolean {
  const isSameEntity = (entity: TextEntity, at: number) => {
    const { content, ...place } = entity
    const { content: next, ...nextPlace } = other.entities[at] ?? entity
    return isEqual(place, nextPlace) && (content === next || isEqual(content, next))
  }
  return (
    one.entities.length === other.entities.length &&
    one.entities.every(isSameEntity) &&
    isEqual([one.project, one.others, one.enumerations], [other.project, other.others, other.enumerations])
  )
}

const isPlaced = ({ from, to }: { from: number; to: number }) => to > from

function isClear({ problems, doubts }: TextReading): boolean {
  return problems.length === 0 && doubts.length === 0
}

/** Whether something is left to the user: what no step of the drafts can be. */
export function hasOpen({ added, missing, enumerations }: TextReading): boolean {
  return added.length + missing.length > 0 || enumerations !== null
}

/** Whether changes concern lines that others change, too. */
function isTouched(text: string, changes: ChangeSet, others: ChangeSet): boolean {
  const lines: { from: number; to: number }[] = []
  changes.iterChangedRanges((start, end) => {
    const [from, to] = [text.lastIndexOf('\n', start - 1) + 1, text.indexOf('\n', end)]
    lines.push({ from, to: to < 0 ? text.length : to })
  })
  let touched = false
  others.iterChangedRanges((start, end) => {
    if (lines.some(({ from, to }) => start <= to && end >= from)) touched = true
  })
  return touched
}

/** Columns of a model that another state of it does not have. */
function lostColumns({ entities: before }: TextModel, { entities: after }: TextModel): Column[] {
  const changed = before.filter((entity, index) => entity !== after[index])
  if (changed.length === 0) return []
  const present = new Set(after.flatMap(({ content }) => columnsOf(content)).map(({ uid }) => uid))
  return changed.flatMap(({ content }) => columnsOf(content)).filter(({ uid }) => !present.has(uid))
}

/** The model as the text has it. */
function withEdits(model: TextModel, edits: Edits): TextModel {
  if (edits.size === 0) return model
  return { ...model, entities: model.entities.map(entity => edited(entity, edits.get(entity.id) ?? [])) }
}

function edited(entity: TextEntity, edits: readonly EntityEdit[]): TextEntity {
  if (edits.length === 0) return entity
  const content = applyEntityEdits(entity.content, edits)
  const inherited = primaryKeyOf(entity.content) === null ? entity.primaryKey : null
  return { ...entity, content, primaryKey: primaryKeyOf(content) ?? inherited }
}
