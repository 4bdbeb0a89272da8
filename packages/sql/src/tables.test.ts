import {
  aClosure,
  aKey,
  aList,
  anEntity,
  aRelationship,
  aTypeAttribute,
  referenceTo,
} from '@cadmus/model/testing/builders'
import type { Closure } from '@cadmus/model/closure'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { NameConflictError } from './name-conflicts.ts'
import { tablesOf } from './tables.ts'
import type { Table } from './tree.ts'

const generated = { applyAutoIncrement: true }

describe('Decisions 3: tables of a manifest', () => {
  it('are one per entity, with inherited attributes first', () => {
    const base = anEntity({ name: 'Base', typeAttributes: aList(aTypeAttribute({ name: 'first' })) })
    const child = anEntity({
      name: 'Child',
      extendsEntity: referenceTo(base),
      typeAttributes: aList(aKey(), aTypeAttribute({ name: 'last' })),
    })
    expect(namesOf(aClosure([child, base]))).toEqual({ Child: ['first', 'id', 'last'], Base: ['first'] })
  })

  it('inherit from an entity outside the manifest, which gets no table', () => {
    const base = anEntity({ name: 'Base', typeAttributes: aList(aTypeAttribute({ name: 'first' })) })
    const child = anEntity({ name: 'Child', extendsEntity: referenceTo(base) })
    expect(namesOf(aClosure([child], [base]))).toEqual({ Child: ['first', 'id'] })
  })

  it('represent entities of the same name by the most derived one, to which all references go', () => {
    const core = anEntity({ name: 'Account' })
    const middle = anEntity({ name: 'ACCOUNT', extendsEntity: referenceTo(core), typeAttributes: [] })
    const last = anEntity({
      name: 'account',
      extendsEntity: referenceTo(middle),
      typeAttributes: aList(aTypeAttribute({ name: 'extra' })),
    })
    const order = anEntity({
      name: 'Order',
      entityAttributes: [aRelationship(core), aRelationship(middle, { foreignKeyTypeAttribute: 'other' })],
    })
    const closure = aClosure([middle, order, core, last])
    expect(namesOf(closure)).toEqual({ Order: ['id', 'accountId', 'other'], account: ['id', 'extra'] })
    const targets = table(closure, 'Order').foreignKeys.map(key => key.references.table)
    expect(targets).toEqual(['account', 'account'])
  })

  it('are rejected with both paths if two unrelated entities have the same name', () => {
    const one = anEntity({ name: 'Account', path: 'predefined/a/Account' })
    const two = anEntity({ name: 'account', path: 'predefined/b/account' })
    expect(() => tablesOf(aClosure([one, two]), generated)).toThrow(NameConflictError)
    expect(() => tablesOf(aClosure([one, two]), generated)).toThrow(/predefined\/a\/Account and predefined\/b\/account/)
  })

  it('include templates and users, but no entity without attributes, which gets a note', () => {
    const closure = aClosure([
      anEntity({ name: 'User', type: 'CADMUS' }),
      anEntity({ name: 'Template', type: 'TEMPLATE' }),
      anEntity({ name: 'Empty', typeAttributes: [] }),
    ])
    expect(Object.keys(namesOf(closure))).toEqual(['User', 'Template'])
    expect(codes(closure)).toEqual(['noColumns'])
  })
})

describe('Decisions 3: keys', () => {
  it('only a single integer key is generated, no string, composite or foreign key', holds('M2.176'), () => {
    const integer = anEntity({ name: 'Integer' })
    const text = anEntity({ name: 'Text', typeAttributes: aList(aKey({ dataType: 'string' })) })
    const pair = anEntity({ name: 'Pair', typeAttributes: aList(aKey({ name: 'a' }), aKey({ name: 'b' })) })
    const part = anEntity({
      name: 'Part',
      typeAttributes: [],
      entityAttributes: [aRelationship(integer, { foreignKeyPurpose: 'identifiedBy' })],
    })
    const closure = aClosure([integer, text, pair, part])
    const identities = tablesOf(closure, generated).schema.tables.map(each =>
      each.columns.map(column => column.identity),
    )
    expect(identities).toEqual([[true], [false], [false, false], [false]])
    const without = tablesOf(closure, { applyAutoIncrement: false }).schema.tables
    expect(without.flatMap(each => each.columns).some(column => column.identity)).toBe(false)
  })

  it('a table without key gets a note, and a nullable key is required', () => {
    const keyless = anEntity({ name: 'Keyless', typeAttributes: aList(aTypeAttribute()) })
    expect(codes(aClosure([keyless]))).toEqual(['noKey'])
    const nullableKey = anEntity({ name: 'Loose', typeAttributes: aList(aKey({ nullable: true })) })
    expect(table(aClosure([nullableKey]), 'Loose').columns[0]?.nullable).toBe(false)
  })
})

describe('Decisions 3: foreign keys', () => {
  const key = aKey({ dataType: 'string', maxLength: 12 })
  const target = anEntity({
    name: 'Target',
    typeAttributes: aList(key, aTypeAttribute({ name: 'code', unique: true }), aTypeAttribute({ name: 'note' })),
  })

  it('a foreign key has an index and the type of its target, even through a chain', () => {
    const middle = anEntity({
      name: 'Middle',
      typeAttributes: [],
      entityAttributes: [aRelationship(target, { foreignKeyPurpose: 'identifiedBy' })],
    })
    const last = anEntity({
      name: 'Last',
      entityAttributes: [aRelationship(middle, { associatedEntityTypeAttribute: 'targetId' })],
    })
    const { columns, indexes, foreignKeys } = table(aClosure([last, middle, target]), 'Last')
    expect(columns.at(-1)?.type).toEqual({ kind: 'varchar', length: 12 })
    expect(indexes.map(index => index.columns)).toEqual([['middleId']])
    expect(foreignKeys[0]?.references).toEqual({ table: 'Middle', columns: ['targetId'] })
  })

  it('a foreign key may refer to a unique attribute, but not to one that is neither key nor unique', () => {
    const toCode = anEntity({
      name: 'ToCode',
      entityAttributes: [aRelationship(target, { associatedEntityTypeAttribute: 'code' })],
    })
    expect(table(aClosure([toCode, target]), 'ToCode').foreignKeys).toHaveLength(1)
    const toNote = anEntity({
      name: 'ToNote',
      entityAttributes: [aRelationship(target, { associatedEntityTypeAttribute: 'note' })],
    })
    const closure = aClosure([toNote, target])
    expect(table(closure, 'ToNote').foreignKeys).toEqual([])
    expect(table(closure, 'ToNote').columns.at(-1)?.type).toEqual({ kind: 'varchar', length: 255 })
    expect(codes(closure)).toEqual(['targetNotUnique', 'lengthGiven', 'lengthGiven'])
  })

  it('an external relationship has a column of the target’s type without a constraint, and a note', () => {
    const relationship = aRelationship(target)
    const outsider = anEntity({ name: 'Outsider', entityAttributes: [relationship] })
    const closure = aClosure([outsider], [target])
    const { columns, foreignKeys } = table(closure, 'Outsider')
    expect([columns.at(-1)?.type, foreignKeys]).toEqual([{ kind: 'varchar', length: 12 }, []])
    expect(tablesOf(closure, generated).notes).toEqual([
      {
        severity: 'warning',
        code: 'external',
        message: "'targetId' refers to 'Target', which is outside the manifest: the column has no constraint.",
        path: [
          { kind: 'manifest', id: closure.root.id, uid: closure.root.uid, name: closure.root.name },
          { kind: 'entity', id: outsider.id, uid: outsider.uid, name: 'Outsider', path: outsider.path },
          { kind: 'entityAttribute', uid: relationship.uid, name: 'targetId' },
        ],
      },
    ])
  })

  it('several targets, a missing target and a missing attribute have no constraint', () => {
    const many = aRelationship(target, {
      foreignKeyTypeAttribute: 'many',
      alternativeTargets: [{ entity: referenceTo(target), attribute: 'id' }],
    })
    const gone = aRelationship({ ...target, id: -1 }, { foreignKeyTypeAttribute: 'gone' })
    const lost = aRelationship(target, { foreignKeyTypeAttribute: 'lost', associatedEntityTypeAttribute: 'lost' })
    const closure = aClosure([target, anEntity({ name: 'E', entityAttributes: [many, gone, lost] })])
    expect(table(closure, 'E').foreignKeys).toEqual([])
    expect(codes(closure)).toEqual(['lengthGiven', 'alternatives', 'targetGone', 'targetAttributeGone'])
  })

  it('a required foreign key is not set to null on delete', () => {
    const required = anEntity({
      name: 'E',
      entityAttributes: [aRelationship(target, { nullable: false, onDelete: 'setNull' })],
    })
    const closure = aClosure([target, required])
    expect(table(closure, 'E').foreignKeys[0]?.onDelete).toBe('restrict')
    expect(codes(closure)).toEqual(['lengthGiven', 'setNullRequired'])
  })

  it('cyclic keys get a default type and a note', () => {
    const a = anEntity({ name: 'A', typeAttributes: [] })
    const b = anEntity({
      name: 'B',
      typeAttributes: [],
      entityAttributes: [
        aRelationship(a, {
          associatedEntityTypeAttribute: 'bKey',
          foreignKeyTypeAttribute: 'aKey',
          foreignKeyPurpose: 'identifiedBy',
        }),
      ],
    })
    const closed = {
      ...a,
      entityAttributes: [
        aRelationship(b, {
          associatedEntityTypeAttribute: 'aKey',
          foreignKeyTypeAttribute: 'bKey',
          foreignKeyPurpose: 'identifiedBy',
        }),
      ],
    }
    const closure = aClosure([closed, b])
    expect(table(closure, 'A').columns[0]?.type).toEqual({ kind: 'integer', bits: 64 })
    expect(codes(closure)).toContain('referenceCycle')
  })
})

describe('Decisions 3: values', () => {
  it('choices of an integer are distinct numbers, and not checked if one is invalid', () => {
    const choices = (given: string[]) =>
      table(
        aClosure([
          anEntity({ name: 'E', typeAttributes: aList(aTypeAttribute({ dataType: 'integer', choices: given })) }),
        ]),
        'E',
      ).checks
    expect(choices(['1', '+1', '02'])[0]?.values).toEqual([
      { kind: 'number', value: '1' },
      { kind: 'number', value: '2' },
    ])
    expect(choices(['1', 'two'])).toEqual([])
  })

  it('a default that does not fit the type is left out with a note', () => {
    const attribute = aTypeAttribute({ dataType: 'integer', format: 'int16', defaultValue: '32768' })
    const closure = aClosure([anEntity({ name: 'E', typeAttributes: aList(aKey(), attribute) })])
    expect(table(closure, 'E').columns[1]?.default).toBeNull()
    expect(codes(closure)).toEqual(['defaultType'])
  })

  it('names that differ only in case are one column, with a note', () => {
    const closure = aClosure([
      anEntity({
        name: 'E',
        typeAttributes: aList(aKey(), aTypeAttribute({ name: 'Name' }), aTypeAttribute({ name: 'name' })),
      }),
    ])
    expect(namesOf(closure)).toEqual({ E: ['id', 'name'] })
    expect(codes(closure)).toEqual(['repeatedAttribute'])
  })
})

function namesOf(closure: Closure): Record<string, string[]> {
  const { tables } = tablesOf(closure, generated).schema
  return Object.fromEntries(tables.map(({ name, columns }) => [name, columns.map(column => column.name)]))
}

function table(closure: Closure, name: string): Table {
  const match = tablesOf(closure, generated).schema.tables.find(each => each.name === name)
  if (!match) throw new Error(`No table ${name}`)
  return match
}

function codes(closure: Closure): string[] {
  return tablesOf(closure, generated).notes.map(note => note.code)
}

it('every key, check, index and foreign key has the uid of its source', () => {
  const target = anEntity({ name: 'Target' })
  const [code, kind, place] = [
    aTypeAttribute({ name: 'code', unique: true }),
    aTypeAttribute({ name: 'kind', choices: ['a'] }),
    aTypeAttribute({ name: 'place', indexed: true }),
  ]
  const keys = [aKey({ name: 'one' }), aKey({ name: 'two' })]
  const link = aRelationship(target)
  const entity = anEntity({
    name: 'Source',
    typeAttributes: aList(...keys, code, kind, place),
    entityAttributes: [link],
  })
  const source = table(aClosure([target, entity]), 'Source')
  expect(source.primaryKey?.sources.map(({ uid }) => uid)).toEqual(keys.map(({ uid }) => uid))
  expect(source.uniques.flatMap(({ sources }) => sources.map(({ uid }) => uid))).toEqual([code.uid])
  expect(source.checks.map(({ source }) => source.uid)).toEqual([kind.uid])
  expect(source.indexes.flatMap(({ sources }) => sources.map(({ uid }) => uid))).toEqual([link.uid, place.uid])
  expect(source.foreignKeys.map(({ source }) => source.uid)).toEqual([link.uid])
})
