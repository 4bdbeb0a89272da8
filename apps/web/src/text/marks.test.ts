import { history, undo } from '@codemirror/commands'
import { EditorState, type Transaction, type TransactionSpec } from '@codemirror/state'
import type { Mark } from '@cadmus/model/text/marked-text'
import { expect, it } from 'vitest'
import { markedNames, marksOf, setMarks, toClipboard } from './marks.ts'

const text = 'Table Patient {\n  name string\n  born date\n}\n'

/** A text with a mark at each of the names, whose uid is the name. */
function marked(...names: readonly string[]) {
  let state = EditorState.create({ doc: text, extensions: [markedNames(), history()] })
  const marks = names.map((name): Mark => {
    const from = text.indexOf(name)
    return { from, to: from + name.length, kind: 'attribute', uid: name }
  })
  const run = (transaction: Transaction) => {
    state = transaction.state
  }
  run(state.update({ effects: setMarks.of(marks) }))
  return {
    /** Types in place of a text. */
    type: (old: string, insert: string, spec: TransactionSpec = {}) => {
      const from = state.doc.toString().indexOf(old)
      run(state.update({ ...spec, changes: { from, to: from + old.length, insert } }))
    },
    at: (from: number, insert: string) => run(state.update({ changes: { from, insert } })),
    undo: () => undo({ state, dispatch: run }),
    names: () => Object.fromEntries(marksOf(state).map(({ from, to, uid }) => [uid, state.doc.sliceString(from, to)])),
    select: (anchor: number, head: number) => run(state.update({ selection: { anchor, head } })),
    state: () => state,
    place: (name: string) => state.doc.toString().indexOf(name),
  }
}

it('a name keeps its identity when letters are typed at both of its ends and in it', () => {
  const edited = marked('name')
  edited.at(edited.place('name'), 'full')
  edited.at(edited.place('fullname') + 8, 's')
  edited.at(edited.place('names'), '_')
  expect(edited.names()).toEqual({ name: 'full_names' })
})

it('a name does not take what is typed after a space or a bracket', () => {
  const edited = marked('name')
  edited.at(edited.place('name') + 4, 'x [pk]')
  expect(edited.names()).toEqual({ name: 'namex' })
})

it('a name that is removed and typed again keeps its identity', () => {
  const edited = marked('name', 'born')
  edited.type('name', '')
  expect(edited.names()).toEqual({ born: 'born' })
  edited.at(edited.place(' string'), 'title')
  expect(edited.names()).toEqual({ name: 'title', born: 'born' })
})

it('a removed line loses its name, and undo brings it back', () => {
  const edited = marked('name', 'born')
  edited.type('  name string\n', '')
  expect(edited.names()).toEqual({ born: 'born' })
  edited.undo()
  expect(edited.names()).toEqual({ name: 'name', born: 'born' })
})

it('a name that is replaced by a quoted one keeps its identity', () => {
  const edited = marked('name')
  edited.type('name', '"full name"')
  expect(edited.names()).toEqual({ name: '"full name"' })
})

it('text pasted over names has none of their identities', () => {
  const edited = marked('name', 'born')
  edited.type('  name string\n  born date\n', '  other string\n', { userEvent: 'input.paste' })
  expect(edited.names()).toEqual({})
})

it.each([
  ['cut', { name: 'name' }],
  ['copy', {}],
] as const)('a line taken by %s and pasted in another pane has the identity only after a cut', (how, names) => {
  const source = marked('name')
  const from = text.indexOf('  name')
  source.select(from, text.indexOf('  born'))
  toClipboard(source.state, how)
  if (how === 'cut') source.type('  name string\n', '')
  const other = marked()
  other.type('  born', '  name string\n', { userEvent: 'input.paste' })
  expect(other.names()).toEqual(names)
})

it('a line that was cut, brought back by Undo and pasted elsewhere is a copy', () => {
  const source = marked('name')
  source.select(text.indexOf('  name'), text.indexOf('  born'))
  toClipboard(source.state, 'cut')
  source.type('  name string\n', '')
  source.undo()
  const other = marked()
  other.type('  born', '  name string\n', { userEvent: 'input.paste' })
  expect(source.names()).toEqual({ name: 'name' })
  expect(other.names()).toEqual({})
})

it('thousands of names keep their identities over typing, a large removal and undo', () => {
  const names = Array.from({ length: 2000 }, (_, index) => `name${index}`)
  const long = names.map(name => `  ${name} string\n`).join('')
  let state = EditorState.create({ doc: long, extensions: [markedNames(), history()] })
  const run = (transaction: Transaction) => {
    state = transaction.state
  }
  const marks = names.map((name): Mark => {
    const from = long.indexOf(`${name} `)
    return { from, to: from + name.length, kind: 'attribute', uid: name }
  })
  run(state.update({ effects: setMarks.of(marks) }))
  const shown = () => marksOf(state).map(({ from, to, uid }) => [uid, state.doc.sliceString(from, to)])
  const expected = names.map(name => [name, name])
  for (const index of [3, 900, 899, 1999]) {
    const { to } = marksOf(state)[index] ?? { to: 0 }
    run(state.update({ changes: { from: to, insert: 'x' } }))
    expected[index] = [names[index] ?? '', `${names[index]}x`]
    expect(shown()).toEqual(expected)
  }
  const [start, end] = [state.doc.line(101).from, state.doc.line(1501).from]
  run(state.update({ changes: { from: start, to: end } }))
  expect(shown()).toEqual(expected.toSpliced(100, 1400))
  undo({ state, dispatch: run })
  expect(shown()).toEqual(expected)
})
