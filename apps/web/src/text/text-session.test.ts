import { type EntityEdit } from '@cadmus/model/edits/entity-edits'
import { applyEntityEdits } from '@cadmus/model/edits/entity-edits'
import type { EntityContent, EntityNode } from '@cadmus/model/entity'
import { aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { finish } from '@cadmus/model/steps'
import type { TextModel } from '@cadmus/model/text/marked-text'
import { lineChanges } from '@cadmus/model/text/line-changes'
import { printModel } from '@cadmus/model/text/print'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isTyped } from '../ui/typed-text.ts'
import { toClipboard } from './marks.ts'
import { TextSession, type Unapplied } from './text-session.ts'

const patient = anEntity({
  name: 'Patient',
  typeAttributes: aList(aKey(), aTypeAttribute({ name: 'line1', maxLength: 40 }), aTypeAttribute({ name: 'born' })),
})
const visit = anEntity({
  name: 'Visit',
  typeAttributes: aList(aKey(), aTypeAttribute({ name: 'reason' })),
  entityAttributes: [aRelationship(patient, { position: 9 })],
})

/** A page with a model and its text. `unapplied`: what an earlier page has stored. */
function opened(entities: readonly EntityNode[] = [patient, visit], unapplied: Unapplied | null = null) {
  const leftOut: string[] = []
  let nodes = new Map(entities.map(({ id, path, ...content }) => [id, { id, path, content }]))
  const steps: ReadonlyMap<number, readonly EntityEdit[]>[] = []
  const model = (): TextModel => ({
    project: null,
    entities: [...nodes.values()].map(node => ({ ...node, isEditable: true, primaryKey: 'id' })),
    others: [],
  })
  const change = (id: number, edits: readonly EntityEdit[]) => {
    const node = nodes.get(id)
    if (node) nodes = new Map(nodes).set(id, { ...node, content: applyEntityEdits(node.content, edits) })
  }
  const session: TextSession<null> = new TextSession({
    snapshot: () => ({ model: model(), seen: null }),
    apply: edits => {
      steps.push(edits)
      for (const [id, list] of edits) change(id, list)
      session.refresh()
    },
    leftOut: text => leftOut.push(text),
  })
  if (unapplied) session.showAgain({ ...unapplied, typed: lineChanges(unapplied.printed.text, unapplied.shown.text) })
  session.refresh()
  return {
    session,
    leftOut,
    /** What a reload would lose. */
    unapplied: () => finish(session.unapplied()),
    steps,
    print: () => printModel(model()).text,
    contentOf: (id: number): EntityContent | undefined => nodes.get(id)?.content,
    /** Someone or something else changes an attribute. */
    changeAttribute: (id: number, name: string, to: { name?: string; maxLength?: number }) => {
      const uid = nodes.get(id)?.content.typeAttributes.find(row => row.name === name)?.uid ?? ''
      change(id, [{ kind: 'changeAttributes', changes: [{ uid, change: to }] }])
      session.refresh()
    },
    create: ({ id, path, ...content }: EntityNode) => {
      nodes = new Map(nodes).set(id, { id, path, content })
      session.refresh()
    },
    drop: (id: number) => {
      nodes = new Map([...nodes].filter(([other]) => other !== id))
      session.refresh()
    },
    type: (before: string, after: string) => {
      const from = session.text.text.indexOf(before)
      expect(from).toBeGreaterThanOrEqual(0)
      session.dispatch({ changes: { from, to: from + before.length, insert: after } })
    },
  }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())
const rest = () => vi.advanceTimersByTime(400)

describe('The text of a model', () => {
  it('becomes one step after a rest, in which a renamed line is a renamed attribute', () => {
    const { session, steps, type, contentOf, print } = opened()
    type('line1', 'Line 1'.replace(' ', '_'))
    type('reason', 'why')
    vi.advanceTimersByTime(399)
    expect(steps).toEqual([])
    expect(isTyped({ isStored: true })).toBe(true)
    rest()
    expect(steps.map(edits => [...edits.keys()])).toEqual([[patient.id, visit.id]])
    const uid = patient.typeAttributes[1]?.uid
    expect(steps[0]?.get(patient.id)).toEqual([
      { kind: 'changeAttributes', changes: [{ uid, change: { name: 'Line_1' } }] },
    ])
    expect(contentOf(visit.id)?.typeAttributes.map(({ name }) => name)).toEqual(['id', 'why'])
    expect(session.text.text).toBe(print())
    expect([isTyped({ isStored: true }), session.isSettled]).toEqual([false, true])
  })

  it('keeps comments and layout that the model does not have', () => {
    const { session, type, steps } = opened()
    type('  line1', '  // Street\n     line1')
    rest()
    expect(steps).toEqual([])
    type('born', 'birthday')
    rest()
    expect(session.text.text).toContain('  // Street\n     line1')
    expect(steps).toHaveLength(1)
  })

  it('stays whole while it is broken, names the place, and changes nothing of the model', () => {
    const { session, steps, type, changeAttribute } = opened()
    type('born string', 'born [[')
    rest()
    const { reading } = session.store.getState()
    expect(reading?.problems.map(({ from }) => session.state.doc.lineAt(from).text.trim())).toEqual([
      expect.stringContaining('born [['),
    ])
    expect([steps.length, isTyped({ isStored: true })]).toEqual([0, true])
    changeAttribute(visit.id, 'reason', { name: 'cause' })
    expect(session.text.text).toContain('born [[')
    expect(session.text.text).toContain('cause')
    type('born [[', 'born string')
    rest()
    expect([steps.length, isTyped({ isStored: true }), session.isSettled]).toEqual([0, false, true])
  })

  describe('that is not applied', () => {
    const uidOf = (name: string) => patient.typeAttributes.find(row => row.name === name)?.uid
    const renamed = (entity: EntityNode, name: string, to: string): EntityNode => ({
      ...entity,
      typeAttributes: entity.typeAttributes.map(row => (row.name === name ? { ...row, name: to } : row)),
    })

    it('comes back after a reload with its faults, comments and identities', () => {
      const before = opened()
      before.type('  line1', '  // Street\n  line1')
      rest()
      before.type('born string', 'birthday [[')
      rest()
      const { session, steps, type, leftOut } = opened([patient, visit], before.unapplied())
      expect(session.text.text).toBe(before.session.text.text)
      rest()
      expect(session.store.getState().reading?.problems).toHaveLength(1)
      type('birthday [[', 'birthday string')
      rest()
      expect(steps.flatMap(edits => [...edits.values()])).toEqual([
        [{ kind: 'changeAttributes', changes: [{ uid: uidOf('born'), change: { name: 'birthday' } }] }],
      ])
      expect(session.text.text).toContain('  // Street\n  line1')
      expect(leftOut).toEqual([])
    })

    it('comes back on a model that has changed in other lines', () => {
      const before = opened()
      before.type('born string', 'birthday [[')
      before.type('Table Visit', '// Of a day\nTable Visit')
      rest()
      const { session, leftOut } = opened(
        [renamed(patient, 'line1', 'street'), renamed(visit, 'reason', 'cause')],
        before.unapplied(),
      )
      rest()
      for (const part of ['birthday [[', '// Of a day\nTable Visit', 'street', 'cause'])
        expect(session.text.text).toContain(part)
      expect([session.text.text.includes('line1'), leftOut]).toEqual([false, []])
    })

    it('is left out after a reload if the model has changed in its lines', () => {
      const before = opened()
      before.type('born string', 'birthday [[')
      rest()
      const { session, leftOut, print } = opened([renamed(patient, 'born', 'birth'), visit], before.unapplied())
      rest()
      expect([session.text.text, session.isSettled, leftOut]).toEqual([print(), true, [before.session.text.text]])
    })

    it('is nothing once the text is as the model is printed', () => {
      const { type, unapplied } = opened()
      expect(unapplied()).toBeNull()
      type('line1', 'street // Street')
      rest()
      expect(unapplied()?.shown.text).toContain('// Street')
      type(' // Street', '')
      rest()
      expect(unapplied()).toBeNull()
    })
  })

  it('has an attribute back whole after its line was a comment', () => {
    const text = aTypeAttribute({ name: 'weight', purpose: 'namedBy', position: 1 })
    const baby = anEntity({ name: 'Baby', typeAttributes: [aKey(), text] })
    const { session, contentOf } = opened([baby])
    const from = session.text.text.indexOf('weight')
    session.dispatch({ changes: { from, insert: '// ' } })
    rest()
    expect(contentOf(baby.id)?.typeAttributes.map(({ name }) => name)).toEqual(['id'])
    session.dispatch({ changes: { from, to: from + 3 } })
    rest()
    expect(contentOf(baby.id)?.typeAttributes).toEqual(baby.typeAttributes)
  })

  it('does not take back what the model has changed in a broken line', () => {
    const { session, type, changeAttribute, contentOf } = opened()
    type('line1', 'street [')
    rest()
    changeAttribute(patient.id, 'line1', { maxLength: 50 })
    expect(session.store.getState().isBehind).toBe(true)
    type('street [', 'street')
    rest()
    expect(session.store.getState().isBehind).toBe(false)
    expect(contentOf(patient.id)?.typeAttributes[1]).toMatchObject({ name: 'street', maxLength: 50 })
    expect(session.text.text).toContain('street string(50)')
  })

  it('follows the model without moving the caret', () => {
    const { session, changeAttribute } = opened()
    const at = session.text.text.indexOf('reason') + 3
    session.dispatch({ selection: { anchor: at } })
    changeAttribute(patient.id, 'line1', { name: 'first_line_of_the_address' })
    const { main } = session.state.selection
    expect(session.state.sliceDoc(main.head - 3, main.head + 3)).toBe('reason')
    expect(session.text.marks.map(({ from, to }) => session.state.sliceDoc(from, to))).toContain(
      'first_line_of_the_address',
    )
  })

  it('has its own undo only for what is not applied', () => {
    const { session, type, print } = opened()
    type('line1', 'line2')
    expect(session.stepTyped('undo')).toBe(true)
    rest()
    expect(session.text.text).toBe(print())
    type('line1', 'line2')
    rest()
    expect(session.stepTyped('undo')).toBe(false)
  })

  it('holds new tables until they are created, and then is in step', () => {
    const { session, create } = opened()
    session.type('\nTable Ward {\n  id integer [pk]\n}\n')
    const [ward] = session.store.getState().reading?.added ?? []
    expect([ward?.name, session.isSettled]).toEqual(['Ward', false])
    create({ ...anEntity({ name: 'Ward' }), ...ward, id: 77 })
    expect(session.isSettled).toBe(true)
    expect(session.text.text.match(/Table Ward/g)).toHaveLength(1)
  })

  it('gives a line new identity in a new table, the same from reading to reading', () => {
    const { session, type } = opened()
    const born = patient.typeAttributes[2]?.uid ?? ''
    const line = session.state.doc.lineAt(session.text.text.indexOf('born'))
    session.dispatch({ selection: { anchor: line.from, head: line.to } })
    toClipboard(() => session.state, 'cut')
    session.dispatch({ changes: { from: line.from, to: line.to }, userEvent: 'delete.cut' })
    rest()
    session.type('\nTable Birth {\n')
    session.type(line.text)
    session.type('\n}\n')
    const uidNow = () =>
      session.store.getState().reading?.added[0]?.typeAttributes.find(({ name }) => name === 'born')?.uid
    const first = uidNow()
    expect(first).toEqual(expect.any(String))
    expect(first).not.toBe(born)
    type('reason', 'cause')
    rest()
    expect(uidNow()).toBe(first)
  })

  it('names missing tables, which come back or are deleted', () => {
    const { session, type, drop } = opened()
    const visits = session.text.text.slice(session.text.text.indexOf('Table Visit'))
    type(visits, '')
    rest()
    expect(session.store.getState().reading?.missing.map(({ content }) => content.name)).toEqual(['Visit'])
    session.putBack(session.store.getState().reading?.missing ?? [])
    expect(session.isSettled).toBe(true)
    expect(session.text.text).toContain('Table Visit')
    type(session.text.text.slice(session.text.text.indexOf('Table Visit')), '')
    rest()
    drop(visit.id)
    expect(session.isSettled).toBe(true)
    expect(session.text.text).not.toContain('Table Visit')
  })

  describe('of many entities', () => {
    const many = Array.from({ length: 400 }, (_, at) =>
      anEntity({ name: `Many${at}`, typeAttributes: aList(aKey(), aTypeAttribute({ name: `note${at}` })) }),
    )
    const nameOf = (content: EntityContent | undefined) => content?.typeAttributes[1]?.name
    const openedMany = () => {
      const page = opened(many)
      vi.runAllTimers()
      return page
    }

    it('is printed in slices, as the model is then', () => {
      const { session, changeAttribute, print } = opened(many)
      expect([session.store.getState().isShown, session.text.text]).toEqual([false, ''])
      changeAttribute(many[0]?.id ?? 0, 'note0', { name: 'remark' })
      vi.runAllTimers()
      expect([session.isSettled, session.text.text]).toEqual([true, print()])
      expect(session.text.text).toContain('remark')
    })

    it('is read between the keys, and not to the end if typing goes on', () => {
      const { session, steps, type, contentOf } = openedMany()
      type('note399', 'first')
      vi.advanceTimersByTime(400)
      expect([steps.length, session.store.getState().reading]).toEqual([0, null])
      type('first', 'second')
      vi.advanceTimersByTime(399)
      expect(steps).toEqual([])
      vi.runAllTimers()
      expect([steps.length, nameOf(contentOf(many[399]?.id ?? 0))]).toEqual([1, 'second'])
      expect(session.isSettled).toBe(true)
    })

    it('is read at once for a command', () => {
      const { session, steps, type, contentOf } = openedMany()
      type('note399', 'last')
      vi.advanceTimersByTime(400)
      session.read()
      expect([steps.length, nameOf(contentOf(many[399]?.id ?? 0))]).toEqual([1, 'last'])
      vi.runAllTimers()
      expect(steps).toHaveLength(1)
    })

    it('follows the model between the keys and keeps what is typed before it has followed', () => {
      const { session, type, changeAttribute, print, contentOf } = openedMany()
      changeAttribute(many[0]?.id ?? 0, 'note0', { name: 'remark' })
      expect(session.text.text).toContain('note0')
      type('note399', 'last')
      vi.runAllTimers()
      expect([session.text.text, nameOf(contentOf(many[0]?.id ?? 0))]).toEqual([print(), 'remark'])
      expect(nameOf(contentOf(many[399]?.id ?? 0))).toBe('last')
    })
  })

  it('asks which attribute a pasted name is, and takes the answer', () => {
    const { session, steps, contentOf } = opened()
    const { text } = session.text
    session.type(text.replace('line1 string(40)', 'street string').replace('born', 'birthday'), 0, text.length)
    const [doubt] = session.store.getState().reading?.doubts ?? []
    expect([doubt?.name, steps.length]).toEqual(['street', 0])
    const candidate = doubt?.candidates.find(({ name }) => name === 'born')
    session.answer(doubt?.from ?? 0, candidate?.uid ?? null)
    for (const { from } of session.store.getState().reading?.doubts ?? []) session.answer(from, null)
    const names = contentOf(patient.id)?.typeAttributes.map(({ name, uid }) => [name, uid])
    expect(names).toContainEqual(['street', patient.typeAttributes[2]?.uid])
  })
})

it('enumerations of a text are left to be saved, and what is typed of them stays until then', () => {
  vi.useFakeTimers()
  const state = { uid: 'e', name: 'State', description: '', values: [{ uid: 'v', value: 'open', label: '' }] }
  const model = (enumerations: TextModel['enumerations'], content: EntityContent = patient): TextModel => ({
    project: { name: 'Shop', description: '' },
    entities: [{ id: patient.id, path: '', content, isEditable: true, primaryKey: 'id' }],
    others: [],
    ...(enumerations ? { enumerations } : {}),
  })
  let present = model([state])
  const steps: unknown[] = []
  const session: TextSession<null> = new TextSession({
    snapshot: () => ({ model: present, seen: null }),
    apply: edits => steps.push(edits),
  })
  session.refresh()
  const text = () => session.state.doc.toString()
  expect(session.isSettled).toBe(true)
  session.type('  sent\n', text().indexOf('}\n\nTable'))
  expect(session.store.getState().reading).toMatchObject({
    problems: [],
    enumerations: [{ uid: 'e', values: [{ uid: 'v' }, { value: 'sent' }] }],
  })
  expect([session.isSettled, steps]).toEqual([false, []])
  const saved = session.store.getState().reading?.enumerations ?? []
  present = model([state], { ...patient, description: 'x' })
  session.refresh()
  expect(text()).toContain('  sent\n')
  expect(text()).toContain("Note: 'x'")
  expect(session.store.getState().reading?.enumerations).not.toBeNull()
  present = model(saved, { ...patient, description: 'x' })
  session.refresh()
  expect([session.isSettled, steps, text()]).toEqual([true, [], printModel(present).text])
  present = model([{ ...state, name: 'Status' }], { ...patient, description: 'x' })
  session.refresh()
  expect([session.isSettled, text()]).toEqual([true, printModel(present).text])
  vi.useRealTimers()
})

it('a line that names a new enumeration stays as typed until the enumeration is saved, and then', () => {
  vi.useFakeTimers()
  let content: EntityContent = patient
  let enumerations: TextModel['enumerations'] = []
  const model = (): TextModel => ({
    project: { name: 'Shop', description: '' },
    entities: [{ id: patient.id, path: '', content, isEditable: true, primaryKey: 'id' }],
    others: [],
    enumerations: enumerations ?? [],
  })
  const session: TextSession<null> = new TextSession({
    snapshot: () => ({ model: model(), seen: null }),
    apply: edits => {
      // As a draft is opened before its edits are made.
      session.refresh()
      content = applyEntityEdits(content, edits.get(patient.id) ?? [])
      session.refresh()
    },
  })
  session.refresh()
  const text = () => session.state.doc.toString()
  session.type('Enum State {\n  open\n}\n\n', text().indexOf('Table'))
  session.type('born State', text().indexOf('born string'), text().indexOf('born string') + 11)
  const line = '  born State [not null]\n'
  expect(text()).toContain(line)
  const { enumerations: saved, choosing } = session.store.getState().reading ?? {}
  expect(content.typeAttributes[2]).toMatchObject({ choices: ['open'], enumeration: null })
  content = { ...content, description: 'x' }
  session.refresh()
  expect(text()).toContain(line)
  enumerations = saved ?? []
  content = applyEntityEdits(content, choosing?.get(patient.id) ?? [])
  session.refresh()
  expect([session.isSettled, text()]).toEqual([true, printModel(model()).text])
  expect(text()).toContain(line)
  vi.useRealTimers()
})
