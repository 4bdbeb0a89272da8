import { invertedEffects } from '@codemirror/commands'
import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Text,
  type Transaction,
} from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { Mark } from '@cadmus/model/text/marked-text'

/** Replaces all marks; positions are those after the transaction. */
export const setMarks = StateEffect.define<readonly Mark[]>({ map: (marks, changes) => moved(marks, changes) })

/** Brings back marks whose names a change removed. */
const restoreMarks = StateEffect.define<readonly Mark[]>({ map: (marks, changes) => moved(marks, changes) })

/** The names of the text with their identities: they move, grow and shrink with what is typed. */
export const marksField = StateField.define<readonly Mark[]>({
  create: () => [],
  update(marks, transaction) {
    const set = transaction.effects.find(effect => effect.is(setMarks))
    if (set) return set.value
    if (!transaction.docChanged) return marks
    const effects = transaction.effects.filter(effect => effect.is(restoreMarks))
    const restored = effects.flatMap(effect => effect.value)
    return withNew(typed(marks, transaction), [...restored, ...pastedMarks(transaction)])
  },
})

/** Marks of names that have a place in the text. */
export function marksOf(state: EditorState): readonly Mark[] {
  return state.field(marksField).filter(({ from, to }) => to > from)
}

export function keyOf({ kind, uid }: Pick<Mark, 'kind' | 'uid'>): string {
  return `${kind} ${uid}`
}

/** Marks with others that they do not contain, in the order of the text. */
export function withNew(marks: readonly Mark[], others: readonly Mark[]): readonly Mark[] {
  if (others.length === 0) return marks
  const keys = new Set(marks.map(keyOf))
  const fresh = others.filter(mark => !keys.has(keyOf(mark)))
  return [...marks, ...fresh].toSorted((one, other) => one.from - other.from)
}

/** Marks after changes, in which a replaced name takes the place of the former one. */
export function moved(marks: readonly Mark[], changes: ChangeDesc): readonly Mark[] {
  return marks.map(mark => ({ ...mark, from: changes.mapPos(mark.from, -1), to: changes.mapPos(mark.to, 1) }))
}

type Replaced = { from: number; to: number; start: number; inserted: Text }

/** Marks after typing: a name takes what is typed at its ends, and is gone once its surroundings are removed with it. */
function typed(marks: readonly Mark[], { changes }: Transaction): readonly Mark[] {
  const replaced: Replaced[] = []
  changes.iterChanges((from, to, start, _end, inserted) => void replaced.push({ from, to, start, inserted }))
  const removed = replaced.filter(({ from, to }) => to > from)
  const isGone = ({ from, to }: Mark) => removed.some(change => change.from < from && change.to > to)
  const [first, last] = [replaced[0]?.from ?? 0, replaced.at(-1)?.to ?? 0]
  const shift = changes.newLength - changes.length
  return marks.flatMap(mark => {
    // Most are far from what is typed.
    if (mark.to < first) return mark
    if (mark.from > last) return { ...mark, from: mark.from + shift, to: mark.to + shift }
    if (isGone(mark)) return []
    const from = atStart(mark, replaced) ?? changes.mapPos(mark.from, 1)
    return { ...mark, from, to: Math.max(from, atEnd(mark, replaced) ?? changes.mapPos(mark.to, -1)) }
  })
}

const ending = /[^\s[\]{}<>(),.:]*$/u
const beginning = /^[^\s[\]{}<>(),.:]*/u

/** The start of a name before which, or over the start of which, something was typed. */
function atStart(mark: Mark, replaced: readonly Replaced[]): number | undefined {
  const change = replaced.find(({ from, to }) => from <= mark.from && to >= mark.from && isWithin(mark, from, to))
  if (!change || change.inserted.length === 0) return undefined
  // What replaces a name is the name; what is typed before it only up to a space.
  if (change.from === mark.from && change.to > mark.from) return change.start
  const text = change.inserted.toString()
  return change.start + text.length - (ending.exec(text)?.[0].length ?? 0)
}

function atEnd(mark: Mark, replaced: readonly Replaced[]): number | undefined {
  const change = replaced.findLast(({ from, to }) => from <= mark.to && to >= mark.to && isWithin(mark, from, to))
  if (!change || change.inserted.length === 0) return undefined
  const isName = change.to === mark.to && change.from < mark.to && change.inserted.lines === 1
  if (isName) return change.start + change.inserted.length
  const text = change.inserted.toString()
  return change.start + (beginning.exec(text)?.[0].length ?? 0)
}

/** Whether a change is typed at or in a name, and not over more than it. */
function isWithin(mark: Mark, from: number, to: number): boolean {
  return from >= mark.from || to <= mark.to
}

/** Whether marks begin with others: for most keys, of all marks. */
function isPrefix(marks: readonly Mark[], of: readonly Mark[]): boolean {
  return marks.every(({ uid, kind }, at) => uid === of[at]?.uid && kind === of[at]?.kind)
}

/** What was cut last in any pane, with its marks. `now`: the present state of that pane. */
let cut: { text: string; marks: readonly Mark[]; now: () => EditorState } | null = null

/** The marks of pasted text that was cut in a pane: a copy, in another pane too, has identities of its own. */
function pastedMarks(transaction: Transaction): readonly Mark[] {
  const from = cut
  if (!from || !transaction.isUserEvent('input.paste')) return []
  // Back where it was cut, after Undo.
  const present = new Set(from.now().field(marksField).map(keyOf))
  const marks = from.marks.filter(mark => !present.has(keyOf(mark)))
  const pasted: Mark[] = []
  transaction.changes.iterChanges((_from, _to, start, _end, inserted) => {
    const text = inserted.toString()
    if (text.replace(/\n$/u, '') !== from.text.replace(/\n$/u, '')) return
    pasted.push(...marks.map(mark => ({ ...mark, from: start + mark.from, to: start + mark.to })))
  })
  return pasted
}

/** The choice, or the line without one, as the editor takes it to the clipboard. */
export function toClipboard(now: () => EditorState, how: 'cut' | 'copy'): void {
  const state = now()
  const { doc, selection } = state
  const { main } = selection
  const line = doc.lineAt(main.head)
  const [start, end] = main.empty ? [line.from, line.to] : [main.from, main.to]
  const within = marksOf(state).filter(({ from, to }) => from >= start && to <= end)
  const marks = within.map(mark => ({ ...mark, from: mark.from - start, to: mark.to - start }))
  cut = how === 'cut' ? { text: doc.sliceString(start, end), marks, now } : null
}

/** The marks of a text, over typing, cut and paste, and undo. */
export function markedNames(): Extension {
  const taken = (how: 'cut' | 'copy') => (_event: ClipboardEvent, view: EditorView) => {
    toClipboard(() => view.state, how)
    return false
  }
  return [
    marksField,
    EditorView.domEventHandlers({ copy: taken('copy'), cut: taken('cut') }),
    invertedEffects.of(({ docChanged, startState, state }) => {
      if (!docChanged) return []
      const [before, now] = [startState.field(marksField), state.field(marksField)]
      if (isPrefix(before, now)) return []
      const left = new Set(now.map(keyOf))
      const gone = before.filter(mark => !left.has(keyOf(mark)))
      return gone.length === 0 ? [] : [restoreMarks.of(gone)]
    }),
  ]
}
