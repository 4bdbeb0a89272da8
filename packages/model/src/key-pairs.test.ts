import { expect, it } from 'vitest'
import { contentFromRequest, entityRequestOf } from './apply-request.ts'
import { compareEntities, describeChanges } from './compare.ts'
import { applyEntityEdits, entityEditsBetween, invertEntityEdits, type EntityEdit } from './edits/entity-edits.ts'
import { duplicateColumnsEdits } from './edits/copy-columns.ts'
import { entityUpdate } from './contract/entity-shapes.ts'
import type { EntityContent, EntityNode } from './entity.ts'
import type { KeyPair } from './key-pair.ts'
import { lostColumns, LossView, releaseReferences } from './lost-columns.ts'
import { mergeEntity } from './merge/entity.ts'
import { newNamesOfModel } from './names-of-model.ts'
import { readEntityContent } from './read-content.ts'
import { entityProblems } from './rules/entity.ts'
import { aKey, aList, anEntity, aRelationship, aResolvedModel, aTypeAttribute } from './testing/builders.ts'
import { relationships, setNullRequired, targetUnique } from './validation/relationships.ts'
import { entityFindings } from './testing/findings.ts'

const line = anEntity({
  name: 'OrderLine',
  typeAttributes: aList(
    aKey({ name: 'orderNo' }),
    aKey({ name: 'lineNo' }),
    aTypeAttribute({ name: 'sku', dataType: 'string', maxLength: 20 }),
    aTypeAttribute({ name: 'day', dataType: 'dateTime', format: 'date' }),
  ),
})
const [orderNo, lineNo, sku, day] = line.typeAttributes.map(({ uid }) => uid) as [string, string, string, string]
const columns = aList(
  aKey(),
  aTypeAttribute({ name: 'line', dataType: 'integer', nullable: true }),
  aTypeAttribute({ name: 'text', dataType: 'string' }),
)
const [, lineColumn, textColumn] = columns as [unknown, { uid: string }, { uid: string }]

function pair(fields: Partial<KeyPair> = {}): KeyPair {
  return { uid: lineColumn.uid, name: 'line', target: 'lineNo', targetUid: lineNo, ...fields }
}

function note(fields: Parameters<typeof aRelationship>[1] = {}, own: Partial<EntityNode> = {}): EntityNode {
  const relationship = aRelationship(line, {
    uid: '019a9c00-0000-7000-8000-0000000000f1',
    associatedEntityTypeAttribute: 'orderNo',
    associatedEntityTypeAttributeUid: orderNo,
    foreignKeyTypeAttribute: 'order',
    alsoBy: [pair()],
    position: 3,
    ...fields,
  })
  return anEntity({ name: 'Note', typeAttributes: columns, entityAttributes: [relationship], ...own })
}

const alsoBy = ({ entityAttributes }: EntityContent) => entityAttributes[0]?.alsoBy
const plain = note()

it('takes a further column out of a key with the column, and returns it by undo', () => {
  const edit: EntityEdit = { kind: 'removeAttributes', uids: [lineColumn.uid] }
  const after = applyEntityEdits(plain, [edit])
  expect(alsoBy(after)).toEqual([])
  expect(applyEntityEdits(after, invertEntityEdits(plain, [edit]))).toEqual(plain)
})

it('follows renames of its columns, and of the attributes that they refer to', () => {
  const renamed = applyEntityEdits(plain, [
    { kind: 'changeAttributes', changes: [{ uid: lineColumn.uid, change: { name: 'position' } }] },
  ])
  expect(alsoBy(renamed)).toEqual([pair({ name: 'position' })])
  const target = {
    ...line,
    typeAttributes: line.typeAttributes.map(one => (one.uid === lineNo ? { ...one, name: 'no' } : one)),
  }
  const named = newNamesOfModel()(new Map([plain, target].map(entity => [entity.id, entity])))
  expect(named.get(plain.id)?.entityAttributes[0]?.alsoBy).toEqual([pair({ target: 'no' })])
})

it('loses its further columns with another target', () => {
  const other = anEntity({ name: 'Other' })
  const change = { associatedEntity: { id: other.id, name: other.name, path: other.path } }
  const edits: EntityEdit[] = [
    { kind: 'changeRelationships', changes: [{ uid: '019a9c00-0000-7000-8000-0000000000f1', change }] },
  ]
  const after = applyEntityEdits(plain, edits)
  expect(alsoBy(after)).toEqual([])
  expect(alsoBy(applyEntityEdits(after, invertEntityEdits(plain, edits)))).toEqual([pair()])
})

it('is the same after the edits between two states, also if a column became a relationship', () => {
  const converted = aRelationship(anEntity({ name: 'Place' }), {
    uid: lineColumn.uid,
    foreignKeyTypeAttribute: 'line',
    position: 1,
  })
  const after = {
    ...plain,
    typeAttributes: plain.typeAttributes.filter(({ uid }) => uid !== lineColumn.uid),
    entityAttributes: [...plain.entityAttributes, converted],
  }
  expect(applyEntityEdits(plain, entityEditsBetween(plain, after))).toEqual(after)
})

it('is copied with its columns, and keeps those that are not copied', () => {
  const copied = (uids: string[]) =>
    applyEntityEdits(plain, duplicateColumnsEdits(plain, uids))
      .entityAttributes.at(-1)
      ?.alsoBy.map(({ name }) => name)
  const { uid = '' } = plain.entityAttributes[0] ?? {}
  expect(copied([uid])).toEqual(['line'])
  expect(copied([uid, lineColumn.uid])).not.toEqual(['line'])
})

it('is sent and answered: names are enough, and an answer that is sent back changes nothing', () => {
  const [{ uid } = { uid: '' }] = plain.entityAttributes
  const change = { entityAttributes: [{ uid, alsoBy: [{ name: 'line', target: 'lineNo' }] }] }
  expect(alsoBy(contentFromRequest(entityUpdate.parse({ entity: change }), plain))).toEqual([pair()])
  expect(contentFromRequest(entityUpdate.parse(entityRequestOf(plain, '1.0.0')), plain)).toEqual(plain)
})

it('is read from JSON by names', () => {
  const { id: _id, path: _path, ...content } = plain
  const written = {
    ...content,
    entityAttributes: plain.entityAttributes.map(one => ({ ...one, alsoBy: [{ name: 'text', target: 'sku' }] })),
  }
  expect(readEntityContent(written, content).content?.entityAttributes[0]?.alsoBy).toEqual([
    { uid: textColumn.uid, name: 'text', target: 'sku', targetUid: null },
  ])
  const renamed = {
    ...content,
    entityAttributes: plain.entityAttributes.map(one => ({ ...one, alsoBy: [pair({ target: 'sku' })] })),
  }
  expect(readEntityContent(renamed, content).content?.entityAttributes[0]?.alsoBy).toEqual([
    pair({ target: 'sku', targetUid: null }),
  ])
})

it.each([
  [[pair(), pair({ target: 'sku' })], "'line' is in the foreign key twice."],
  [[pair({ target: 'orderNo' })], "The foreign key refers to 'orderNo' twice."],
  [[pair({ uid: 'gone', name: 'gone' })], "There is no attribute 'gone'."],
  [[pair({ target: '', targetUid: null })], "Choose what 'line' refers to."],
  [Array.from({ length: 16 }, () => pair()), 'A foreign key has at most 16 columns.'],
] as const)('refuses pairs that make no foreign key', (pairs, message) => {
  const faulty = note({ alsoBy: [...pairs] })
  const single = note({ alsoBy: [] })
  expect(entityProblems(faulty, { previous: { ...single, uid: faulty.uid } }).map(one => one.message)).toEqual([
    message,
  ])
  expect(entityProblems(faulty, { previous: faulty })).toEqual([])
})

it('is compared by identity, and in words', () => {
  const before = note({ alsoBy: [] })
  const after = { ...before, entityAttributes: plain.entityAttributes }
  expect(describeChanges(compareEntities(before, after))).toBe('Changed further columns of relationship order')
  expect(compareEntities(before, after)).toMatchObject([
    { field: 'alsoBy', before: [], after: ['line → OrderLine.lineNo'] },
  ])
  const renamed = note({ alsoBy: [pair({ target: 'former' })] })
  expect(compareEntities({ ...plain, entityAttributes: renamed.entityAttributes }, plain)).toEqual([])
})

it('is merged as one with its target', () => {
  const base = note({ alsoBy: [] })
  const mine = { ...base, entityAttributes: plain.entityAttributes }
  const described = { ...base, entityAttributes: base.entityAttributes.map(one => ({ ...one, description: 'Why' })) }
  expect(mergeEntity(base, mine, described).merged?.entityAttributes).toMatchObject([
    { alsoBy: [pair()], description: 'Why' },
  ])
  const other = anEntity({ name: 'Other' })
  const moved = {
    ...base,
    entityAttributes: base.entityAttributes.map(one => ({
      ...one,
      associatedEntity: { id: other.id, name: 'Other', path: other.path },
    })),
  }
  expect(mergeEntity(base, mine, moved).conflicts?.map(({ field }) => field)).toContain('alsoBy')
})

it('leaves the key with the attribute that it refers to', () => {
  const after = { ...line, typeAttributes: line.typeAttributes.filter(({ uid }) => uid !== lineNo) }
  const before = (id: number) => (id === line.id ? line : undefined)
  const now = (id: number) => (id === line.id ? after : undefined)
  const view = new LossView({ loss: lostColumns(line, after, now), before, after: now })
  expect(alsoBy(releaseReferences(plain, { view, before, onReferences: () => 'keep' }))).toEqual([])
  expect(releaseReferences(plain, { view, before, onReferences: () => undefined })).toBe(plain)
})

const findings = (entity: EntityNode, target = line) =>
  [relationships, targetUnique, setNullRequired].flatMap(check =>
    entityFindings(check, aResolvedModel([entity, target])),
  )

it('refers to the key, or to what is unique together, in any order', () => {
  expect(findings(plain)).toEqual([])
  const bySku = note({
    associatedEntityTypeAttribute: 'lineNo',
    alsoBy: [pair({ uid: textColumn.uid, name: 'text', target: 'sku', targetUid: sku })],
  })
  const problem = 'OrderLine has no key and no unique group of exactly these attributes.'
  expect(JSON.stringify(findings(bySku))).toContain(problem)
  const members = [sku, lineNo].map(uid => ({ uid, name: '', descending: false }))
  const unique = { ...line, groups: [{ uid: 'g', kind: 'unique' as const, name: '', members }] }
  expect(findings(bySku, unique)).toEqual([])
})

it('has columns of the types of their targets', () => {
  const dated = note({ alsoBy: [pair({ target: 'day', targetUid: day })] })
  expect(JSON.stringify(findings(dated))).toContain("'line' is integer, but OrderLine.day is dateTime.")
})

it('clears optional columns only', () => {
  const required = columns.map(one => (one.uid === lineColumn.uid ? { ...one, nullable: false } : one))
  for (const action of ['onDelete', 'onUpdate'] as const) {
    expect(findings(note({ [action]: 'setNull' }))).toEqual([])
    expect(JSON.stringify(findings(note({ [action]: 'setNull' }, { typeAttributes: required })))).toContain(
      'Set null needs every column to be optional.',
    )
  }
})
