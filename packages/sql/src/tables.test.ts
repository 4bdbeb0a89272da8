import {
  aResolvedModel,
  aKey,
  aList,
  anEntity,
  aRelationship,
  aTypeAttribute,
  referenceTo,
} from '@cadmus/model/testing/builders'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
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
    expect(namesOf(aResolvedModel([child, base]))).toEqual({ Child: ['first', 'id', 'last'], Base: ['first'] })
  })

  it('inherit from an entity outside the manifest, which gets no table', () => {
    const base = anEntity({ name: 'Base', typeAttributes: aList(aTypeAttribute({ name: 'first' })) })
    const child = anEntity({ name: 'Child', extendsEntity: referenceTo(base) })
    expect(namesOf(aResolvedModel([child], [base]))).toEqual({ Child: ['first', 'id'] })
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
    const resolvedModel = aResolvedModel([middle, order, core, last])
    expect(namesOf(resolvedModel)).toEqual({ Order: ['id', 'accountId', 'other'], account: ['id', 'extra'] })
    const targets = table(resolvedModel, 'Order').foreignKeys.map(key => key.references.table)
    expect(targets).toEqual(['account', 'account'])
  })

  it('are rejected with both paths if two unrelated entities have the same name', () => {
    const one = anEntity({ name: 'Account', path: 'predefined/a/Account' })
    const two = anEntity({ name: 'account', path: 'predefined/b/account' })
    expect(() => tablesOf(aResolvedModel([one, two]), generated)).toThrow(NameConflictError)
    expect(() => tablesOf(aResolvedModel([one, two]), generated)).toThrow(
      /predefined\/a\/Account and predefined\/b\/account/,
    )
  })

  it('include templates and users, but no entity without attributes, which gets a note', () => {
    const resolvedModel = aResolvedModel([
      anEntity({ name: 'User', type: 'CADMUS' }),
      anEntity({ name: 'Template', type: 'TEMPLATE' }),
      anEntity({ name: 'Empty', typeAttributes: [] }),
    ])
    expect(Object.keys(namesOf(resolvedModel))).toEqual(['User', 'Template'])
    expect(codes(resolvedModel)).toEqual(['noColumns'])
  })
})

describe('Decisions 3: keys', () => {
  it('only a single integer key is generated, not a string, composite or foreign key', holds('M2.176'), () => {
    const integer = anEntity({ name: 'Integer' })
    const text = anEntity({ name: 'Text', typeAttributes: aList(aKey({ dataType: 'string' })) })
    const pair = anEntity({ name: 'Pair', typeAttributes: aList(aKey({ name: 'a' }), aKey({ name: 'b' })) })
    const part = anEntity({
      name: 'Part',
      typeAttributes: [],
      entityAttributes: [aRelationship(integer, { foreignKeyPurpose: 'identifiedBy' })],
    })
    const resolvedModel = aResolvedModel([integer, text, pair, part])
    const identities = tablesOf(resolvedModel, generated).schema.tables.map(each =>
      each.columns.map(column => column.identity),
    )
    expect(identities).toEqual([[true], [false], [false, false], [false]])
    const without = tablesOf(resolvedModel, { applyAutoIncrement: false }).schema.tables
    expect(without.flatMap(each => each.columns).some(column => column.identity)).toBe(false)
  })

  it('a table without key gets a note, and a nullable key is required', () => {
    const keyless = anEntity({ name: 'Keyless', typeAttributes: aList(aTypeAttribute()) })
    expect(codes(aResolvedModel([keyless]))).toEqual(['noKey'])
    const nullableKey = anEntity({ name: 'Loose', typeAttributes: aList(aKey({ nullable: true })) })
    expect(table(aResolvedModel([nullableKey]), 'Loose').columns[0]?.nullable).toBe(false)
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
    const { columns, indexes, foreignKeys } = table(aResolvedModel([last, middle, target]), 'Last')
    expect(columns.at(-1)?.type).toEqual({ kind: 'varchar', length: 12 })
    expect(indexes.map(index => index.columns)).toEqual([['middleId']])
    expect(foreignKeys[0]?.references).toEqual({ table: 'Middle', columns: ['targetId'] })
  })

  it('a foreign key may refer to a unique attribute, but not to one that is neither key nor unique', () => {
    const toCode = anEntity({
      name: 'ToCode',
      entityAttributes: [aRelationship(target, { associatedEntityTypeAttribute: 'code' })],
    })
    expect(table(aResolvedModel([toCode, target]), 'ToCode').foreignKeys).toHaveLength(1)
    const toNote = anEntity({
      name: 'ToNote',
      entityAttributes: [aRelationship(target, { associatedEntityTypeAttribute: 'note' })],
    })
    const resolvedModel = aResolvedModel([toNote, target])
    expect(table(resolvedModel, 'ToNote').foreignKeys).toEqual([])
    expect(table(resolvedModel, 'ToNote').columns.at(-1)?.type).toEqual({ kind: 'varchar', length: 255 })
    expect(codes(resolvedModel)).toEqual(['targetNotUnique', 'lengthGiven', 'lengthGiven'])
  })

  it('an external relationship has a column of the target’s type without a constraint, and a note', () => {
    const relationship = aRelationship(target)
    const outsider = anEntity({ name: 'Outsider', entityAttributes: [relationship] })
    const resolvedModel = aResolvedModel([outsider], [target])
    const { columns, foreignKeys } = table(resolvedModel, 'Outsider')
    expect([columns.at(-1)?.type, foreignKeys]).toEqual([{ kind: 'varchar', length: 12 }, []])
    expect(tablesOf(resolvedModel, generated).notes).toEqual([
      {
        severity: 'warning',
        code: 'external',
        message: "'targetId' refers to 'Target', which is outside the manifest: the column has no constraint.",
        path: [
          { kind: 'manifest', id: resolvedModel.root.id, uid: resolvedModel.root.uid, name: resolvedModel.root.name },
          { kind: 'entity', id: outsider.id, uid: outsider.uid, name: 'Outsider', path: outsider.path },
          { kind: 'entityAttribute', uid: relationship.uid, name: 'targetId' },
        ],
      },
    ])
  })

  it('a foreign key with several targets, a missing target or a missing attribute has no constraint', () => {
    const many = aRelationship(target, {
      foreignKeyTypeAttribute: 'many',
      alternativeTargets: [{ entity: referenceTo(target), attribute: 'id' }],
    })
    const gone = aRelationship({ ...target, id: -1 }, { foreignKeyTypeAttribute: 'gone' })
    const lost = aRelationship(target, { foreignKeyTypeAttribute: 'lost', associatedEntityTypeAttribute: 'lost' })
    const resolvedModel = aResolvedModel([target, anEntity({ name: 'E', entityAttributes: [many, gone, lost] })])
    expect(table(resolvedModel, 'E').foreignKeys).toEqual([])
    expect(codes(resolvedModel)).toEqual(['lengthGiven', 'alternatives', 'targetGone', 'targetAttributeGone'])
  })

  it('a required foreign key is not set to null on delete', () => {
    const required = anEntity({
      name: 'E',
      entityAttributes: [aRelationship(target, { nullable: false, onDelete: 'setNull' })],
    })
    const resolvedModel = aResolvedModel([target, required])
    expect(table(resolvedModel, 'E').foreignKeys[0]?.onDelete).toBe('restrict')
    expect(codes(resolvedModel)).toEqual(['lengthGiven', 'setNullRequired'])
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
    const resolvedModel = aResolvedModel([closed, b])
    expect(table(resolvedModel, 'A').columns[0]?.type).toEqual({ kind: 'integer', bits: 64 })
    expect(codes(resolvedModel)).toContain('referenceCycle')
  })
})

describe('Decisions 3: values', () => {
  it('choices of an integer are distinct numbers, and not checked if one is invalid', () => {
    const choices = (given: string[]) =>
      table(
        aResolvedModel([
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
    const resolvedModel = aResolvedModel([anEntity({ name: 'E', typeAttributes: aList(aKey(), attribute) })])
    expect(table(resolvedModel, 'E').columns[1]?.default).toBeNull()
    expect(codes(resolvedModel)).toEqual(['defaultType'])
  })

  it('names that differ only in case are one column, with a note', () => {
    const resolvedModel = aResolvedModel([
      anEntity({
        name: 'E',
        typeAttributes: aList(aKey(), aTypeAttribute({ name: 'Name' }), aTypeAttribute({ name: 'name' })),
      }),
    ])
    expect(namesOf(resolvedModel)).toEqual({ E: ['id', 'name'] })
    expect(codes(resolvedModel)).toEqual(['repeatedAttribute'])
  })
})

function namesOf(resolvedModel: ResolvedModel): Record<string, string[]> {
  const { tables } = tablesOf(resolvedModel, generated).schema
  return Object.fromEntries(tables.map(({ name, columns }) => [name, columns.map(column => column.name)]))
}

function table(resolvedModel: ResolvedModel, name: string): Table {
  const match = tablesOf(resolvedModel, generated).schema.tables.find(each => each.name === name)
  if (!match) throw new Error(`No table ${name}`)
  return match
}

function codes(resolvedModel: ResolvedModel): string[] {
  return tablesOf(resolvedModel, generated).notes.map(note => note.code)
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
  const source = table(aResolvedModel([target, entity]), 'Source')
  expect(source.primaryKey?.sources.map(({ uid }) => uid)).toEqual(keys.map(({ uid }) => uid))
  expect(source.uniques.flatMap(({ sources }) => sources.map(({ uid }) => uid))).toEqual([code.uid])
  expect(source.checks.map(({ source }) => source.uid)).toEqual([kind.uid])
  expect(source.indexes.flatMap(({ sources }) => sources.map(({ uid }) => uid))).toEqual([link.uid, place.uid])
  expect(source.foreignKeys.map(({ source }) => source.uid)).toEqual([link.uid])
})
