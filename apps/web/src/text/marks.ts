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

/** Marks that keys elsewhere move as one. `from`, `to`: around all of them; they and the places of the marks are those without `shift`. */
type Stretch = { marks: readonly Mark[]; from: number; to: number; shift: number }

/** Few enough for each key, and few of them in a long text. */
const stretchLength = 256

/** The names of the text with their identities: they move, grow and shrink with what is typed. */
export const marksField = StateField.define<readonly Stretch[]>({
  create: () => [],
  update(stretches, transaction) {
    const set = transaction.effects.find(effect => effect.is(setMarks))
    if (set) return inStretches(set.value)
    if (!transaction.docChanged) return stretches
    const effects = transaction.effects.filter(effect => effect.is(restoreMarks))
    const restored = effects.flatMap(effect => effect.value)
    const others = [...restored, ...pastedMarks(transaction)]
    const after = typed(stretches, transaction)
    return others.length === 0 ? after : inStretches(withNew(after.flatMap(placed), others))
  },
})

function inStretches(marks: readonly Mark[]): readonly Stretch[] {
  const count = Math.ceil(marks.length / stretchLength)
  return Array.from({ length: count }, (_, at) => stretchOf(marks.slice(at * stretchLength, (at + 1) * stretchLength)))
}

function stretchOf(marks: readonly Mark[]): Stretch {
  const from = Math.min(...marks.map(mark => mark.from))
  return { marks, from, to: Math.max(...marks.map(mark => mark.to)), shift: 0 }
}

/** The marks of a stretch at their present places. */
function placed({ marks, shift }: Stretch): readonly Mark[] {
  return shift === 0 ? marks : marks.map(mark => ({ ...mark, from: mark.from + shift, to: mark.to + shift }))
}

/** Marks of names that have a place in the text. */
export function marksOf(state: EditorState): readonly Mark[] {
  return state
    .field(marksField)
    .flatMap(placed)
    .filter(({ from, to }) => to > from)
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
function typed(stretches: readonly Stretch[], { changes }: Transaction): readonly Stretch[] {
  const replaced: Replaced[] = []
  changes.iterChanges((from, to, start, _end, inserted) => void replaced.push({ from, to, start, inserted }))
  const removed = replaced.filter(({ from, to }) => to > from)
  const isGone = ({ from, to }: Mark) => removed.some(change => change.from < from && change.to > to)
  const [first, last] = [replaced[0]?.from ?? 0, replaced.at(-1)?.to ?? 0]
  const growth = changes.newLength - changes.length
  const after = (mark: Mark): readonly Mark[] => {
    if (isGone(mark)) return []
    const from = atStart(mark, replaced) ?? changes.mapPos(mark.from, 1)
    return [{ ...mark, from, to: Math.max(from, atEnd(mark, replaced) ?? changes.mapPos(mark.to, -1)) }]
  }
  return stretches.map(stretch => {
    const { from, to, shift } = stretch
    if (to + shift < first) return stretch
    if (from + shift > last) return { ...stretch, shift: shift + growth }
    return stretchOf(placed(stretch).flatMap(after))
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

/** The marks of stretches that are not among others. */
function besides(stretches: readonly Stretch[], others: readonly Stretch[]): readonly Mark[] {
  const same = new Set(others.map(({ marks }) => marks))
  return stretches.flatMap(stretch => (same.has(stretch.marks) ? [] : placed(stretch)))
}

/** What was cut last in any pane, with its marks. `now`: the present state of that pane. */
let cut: { text: string; marks: readonly Mark[]; now: () => EditorState } | null = null

/** The marks of pasted text that was cut in a pane: a copy, in another pane too, has identities of its own. */
function pastedMarks(transaction: Transaction): readonly Mark[] {
  const from = cut
  if (!from || !transaction.isUserEvent('input.paste')) return []
  // Back where it was cut, after Undo.
  const present = new Set(from.now().field(marksField).flatMap(placed).map(keyOf))
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
      const left = new Set(besides(now, before).map(keyOf))
      const gone = besides(before, now).filter(mark => !left.has(keyOf(mark)))
      return gone.length === 0 ? [] : [restoreMarks.of(gone)]
    }),
  ]
}
