import type { Group } from '@cadmus/model/group'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { aKey, aList, anEntity, aResolvedModel } from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { databaseStatements } from './script.ts'

const [a, b] = ['aa', 'bb'].map((name, position) => newTypeAttribute({ name, position, dataType: 'integer' }))

function group(kind: Group['kind'], name: string): Group {
  const members = [a, b].flatMap(column => (column ? [{ uid: column.uid, name: column.name, descending: false }] : []))
  return { uid: `${kind} ${name}`, kind, name, members: kind === 'index' ? members.toReversed() : members }
}

function namesIn(subtypes: readonly string[]) {
  const base = {
    ...anEntity({ name: 'Base', typeAttributes: aList(aKey(), ...[a, b].filter(column => column !== undefined)) }),
    groups: [group('unique', 'uq_line'), group('index', 'ix_line')],
  }
  const extendsEntity = { id: base.id, name: base.name, path: base.name }
  const all = [base, ...subtypes.map(name => ({ ...anEntity({ name }), extendsEntity }))]
  const { tables } = databaseStatements(aResolvedModel(all), 'postgresql', { applyAutoIncrement: true }).schema
  return new Map(tables.map(table => [table.name, [...table.uniques, ...table.indexes].map(({ name }) => name)]))
}

it('names of inherited groups are followed by the name of the table, whatever other tables there are', () => {
  const names = namesIn(['Call', 'Visit'])
  expect(names.get('Base')).toEqual(['uq_line', 'ix_line'])
  expect(names.get('Visit')).toEqual(['uq_line_Visit', 'ix_line_Visit'])
  expect(namesIn(['Visit']).get('Visit')).toEqual(names.get('Visit'))
})

it('an index that is too long with its numbers is left out with a note', () => {
  const [text, count] = [
    newTypeAttribute({ name: 'text', position: 0, dataType: 'string', maxLength: 760 }),
    newTypeAttribute({ name: 'count', position: 1, dataType: 'integer' }),
  ]
  const members = [text, count].map(({ uid, name }) => ({ uid, name, descending: false }))
  const groups = [{ uid: 'index', kind: 'index' as const, name: 'ix', members }]
  const entity = { ...anEntity({ name: 'Thing', typeAttributes: aList(aKey(), text, count) }), groups }
  const { schema, notes } = databaseStatements(aResolvedModel([entity]), 'mysql', { applyAutoIncrement: true })
  expect(schema.tables.flatMap(({ indexes }) => indexes)).toEqual([])
  expect(notes.map(({ code }) => code)).toContain('indexTooLong')
})
