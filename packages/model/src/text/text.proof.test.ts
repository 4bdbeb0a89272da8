import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { expect, it } from 'vitest'
import { conditionKey } from '../checks.ts'
import { type Column, columnName, columnsInOrder, columnsOf, isTypeAttribute } from '../columns.ts'
import { attributesIn, type Check, withAttributes } from '../conditions/condition.ts'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import type { EntityAttribute } from '../entity-attribute.ts'
import type { KeyPair } from '../key-pair.ts'
import { withEnumerations } from '../testing/arbitrary-enumerations.ts'
import { arbitraryModel } from '../testing/arbitrary-model.ts'
import { seededRandom } from '../testing/seeded-random.ts'
import { blocksOf } from './blocks.ts'
import { completionsAt } from './completion.ts'
import type { MarkedText, TextModel, TextReading } from './marked-text.ts'
import { printModel } from './print.ts'
import { readModel, textChanges } from './testing/at-once.ts'
import { ChangingText } from './testing/changing-text.ts'
import { replaced } from './testing/edited-text.ts'

const count = proofCount('text', 60, 1000)
const seeds = Array.from({ length: count }, (_, index) => proofSeed() + index)

/** The model of a seed; every third one has imported names that break the rules. */
function modelOf(seed: number, names: 'valid' | 'any'): TextModel {
  const drawn = arbitraryModel(seed, { names, checks: true })
  const { byId, root } = drawn
  const { entities, enumerations } = withEnumerations(drawn.entities, seededRandom(seed))
  const members = new Set(entities.map(({ id }) => id))
  const others = [...byId.values()].filter(({ id }) => !members.has(id))
  return {
    project: { name: root.name, description: root.description },
    entities: entities.map(({ id, path, ...content }) => ({ id, path, content, isEditable: true, primaryKey: null })),
    enumerations,
    others: others.map(({ id, uid, name, path }) => ({ id, uid, name, path, primaryKey: null })),
  }
}

function appliedTo(model: TextModel, { edits }: Pick<TextReading, 'edits'>): TextModel {
  const entities = model.entities.map(entity => ({
    ...entity,
    content: applyEntityEdits(entity.content, edits.get(entity.id) ?? []),
  }))
  return { ...model, entities }
}

function uidsOf({ entities }: TextModel): Record<string, string[]> {
  return Object.fromEntries(entities.map(({ content }) => [content.uid, columnsInOrder(content).map(({ uid }) => uid)]))
}

function changedText(shown: MarkedText, next: MarkedText, base: MarkedText): MarkedText {
  const changes = textChanges(shown, next, base)
  return changes.toReversed().reduce((text, change) => replaced(text, change, change.insert), shown)
}

it(`the text of ${count} models with any names is read as no change`, () => {
  const start = performance.now()
  for (const seed of seeds) {
    const model = modelOf(seed, 'any')
    const text = printModel(model)
    const { problems, doubts, edits, added, missing, marks, enumerations } = readModel(text, model)
    expect([problems, doubts, [...edits], added, missing], `seed ${seed}`).toEqual([[], [], [], [], []])
    expect(enumerations, `seed ${seed}`).toBe(null)
    expect(marks, `seed ${seed}`).toEqual(text.marks)
    expect(textChanges(text, text), `seed ${seed}`).toEqual([])
  }
  recordProof({
    name: 'The text of a model is read as no change',
    counts: { models: count },
    durationMs: performance.now() - start,
  })
})

it(`${count} texts edited at random keep every identity and settle`, () => {
  const start = performance.now()
  let steps = 0
  let settled = 0
  for (const seed of seeds) {
    const random = seededRandom(seed)
    const model = modelOf(seed, 'valid')
    const shown = printModel(model)
    const text = new ChangingText(shown, model, random)
    const changes = random.between(1, 12)
    for (let step = 0; step < changes; step += 1) text.change()
    steps += changes
    const reading = readModel(text.marked, model)
    const after = appliedTo(model, reading)
    expect(text.withNewLines(uidsOf(after)), `seed ${seed}`).toEqual(text.expected())
    expectKept(model, after, text.onlyMoved, seed)
    expectChecks(model, after, seed)
    const identities = (reading.enumerations ?? model.enumerations ?? []).map(one => [one.uid, one.values])
    expect(identities, `seed ${seed}`).toEqual(model.enumerations?.map(one => [one.uid, one.values]))
    if (reading.problems.length > 0) continue
    settled += 1
    const own = { text: text.marked.text, marks: reading.marks }
    const next = changedText(own, printModel(after), shown)
    const again = readModel(next, after)
    expect([again.problems, [...again.edits], again.added], `seed ${seed}:\n${next.text}`).toEqual([[], [], []])
    // A renamed enumeration is saved in the manifest, and lines follow.
    expect(again.enumerations, `seed ${seed}`).toEqual(reading.enumerations)
    const saved = { ...after, enumerations: reading.enumerations ?? after.enumerations ?? [] }
    const last = readModel(
      changedText({ text: next.text, marks: again.marks }, printModel(saved), printModel(after)),
      saved,
    )
    expect([last.problems, [...last.edits], last.enumerations], `seed ${seed}`).toEqual([[], [], null])
  }
  expect(settled).toBeGreaterThan(count / 4)
  const counts = { texts: count, steps, settled }
  recordProof({ name: 'Texts edited at random keep identities', counts, durationMs: performance.now() - start })
})

const pieces = [
  ...'{}[]()\'"`,:.<>-/*\\\n \0',
  "'''",
  'ref: >',
  'Table ',
  'pk',
  'note:',
  'Enum a {',
  'Ref: ',
  '//',
  'not null',
  '😀',
  '\ud800',
]

it(`${count} texts broken at random are read without failing, with problems inside of the text`, () => {
  const start = performance.now()
  for (const seed of seeds) {
    const random = seededRandom(seed)
    const model = modelOf(seed, 'any')
    const shown = printModel(model)
    let text = shown
    for (let step = random.between(1, 6); step > 0; step -= 1) {
      const from = random.between(0, text.text.length)
      const to = Math.min(text.text.length, from + (random.chance(0.5) ? 0 : random.between(1, 40)))
      text = replaced(text, { from, to }, random.chance(0.7) ? random.pick(pieces) : '')
    }
    const { length } = text.text
    const isInside = ({ from, to }: { from: number; to: number }) => from >= 0 && from <= to && to <= length
    const reading = readModel(text, model)
    expect([...reading.problems, ...reading.doubts, ...reading.marks].every(isInside), `seed ${seed}`).toBe(true)
    appliedTo(model, reading)
    expect(textChanges(text, shown, shown).every(isInside), `seed ${seed}`).toBe(true)
    expect(blocksOf(text.text).every(isInside), `seed ${seed}`).toBe(true)
    completionsAt(text.text, random.between(0, length), model)
  }
  recordProof({
    name: 'Broken texts are read without failing',
    counts: { texts: count },
    durationMs: performance.now() - start,
  })
})

/** Lines that were only renamed or moved keep everything but name and place. */
function expectKept(before: TextModel, after: TextModel, uids: ReadonlySet<string>, seed: number): void {
  const all = ({ entities }: TextModel) =>
    new Map(entities.flatMap(({ content }) => columnsInOrder(content).map(one => [one.uid, one])))
  const [old, now] = [all(before), all(after)]
  const rest = (column: Column | undefined) =>
    column && { ...column, position: 0, name: '', foreignKeyTypeAttribute: '', alsoBy: pairsIn(column) }
  // Further columns of a foreign key follow their columns and what they refer to, which other tables may get.
  const pairsIn = (column: Column) => {
    if (isTypeAttribute(column)) return []
    const own = after.entities.map(({ content }) => columnsInOrder(content)).find(all => all.some(isSame(column.uid)))
    return column.alsoBy.filter(pair => own?.some(isSame(pair.uid)) && !isGone(column, pair)).map(({ uid }) => uid)
  }
  const isSame = (uid: string) => (one: Column) => one.uid === uid
  const isGone = ({ associatedEntity: { id } }: EntityAttribute, { target, targetUid }: KeyPair) => {
    const [others = [], othersNow = []] = [before, after].map(({ entities }) => {
      const content = entities.find(one => one.id === id)?.content
      return content && columnsInOrder(content)
    })
    const other = others.find(one => one.uid === targetUid || columnName(one) === target)
    return other !== undefined && !othersNow.some(isSame(other.uid))
  }
  for (const uid of uids) {
    const column = old.get(uid)
    expect(rest(now.get(uid)), `seed ${seed}, ${column && columnName(column)}`).toEqual(rest(column))
  }
}

/** Checks of columns that are still there keep their identity and meaning. */
function expectChecks(before: TextModel, after: TextModel, seed: number): void {
  for (const [at, { content }] of before.entities.entries()) {
    const now = after.entities[at]?.content
    const own = new Set(columnsOf(content).map(({ uid }) => uid))
    const left = new Set(now && columnsOf(now).map(({ uid }) => uid))
    // A column that came into the table under the former name of another one is meant by that name.
    const names = new Map(now && columnsOf(now).map(column => [columnName(column), column.uid]))
    if (columnsOf(content).some(column => (names.get(columnName(column)) ?? column.uid) !== column.uid)) continue
    const expectedChecks = content.checks.filter(({ condition }) =>
      attributesIn(condition).every(({ uid }) => !own.has(uid) || left.has(uid)),
    )
    // A column that came into the table takes the place of an inherited one of its name.
    const keyOf = ({ condition }: Check) =>
      conditionKey(withAttributes(condition, one => (own.has(one.uid) ? one : { ...one, uid: '' })))
    const meanings = (checks: readonly Check[]) =>
      checks.map(check => [check.uid, check.name, check.message, keyOf(check)].join(' ')).toSorted()
    expect(meanings(now?.checks ?? []), `seed ${seed}`).toEqual(meanings(expectedChecks))
  }
}
