import { expect, it } from 'vitest'
import { anEntity, referenceTo } from '../testing/builders.ts'
import { extendsEntity } from './extends.ts'

const party = anEntity({ name: 'Party' })
const person = anEntity({ name: 'Person', extendsEntity: referenceTo(party) })
const employee = anEntity({ name: 'Employee', extendsEntity: referenceTo(person) })
const byId = new Map([party, person, employee].map(entity => [entity.id, entity]))
const lookup = (id: number) => byId.get(id)

it('rejects a parent that already extends the child directly or indirectly', () => {
  expect(extendsEntity(person, { child: party, lookup })).toBe('Person already extends Party.')
  expect(extendsEntity(employee, { child: party, lookup })).toBe('Employee already extends Party.')
  expect(extendsEntity(party, { child: employee, lookup })).toBeUndefined()
})

it('rejects an entity as its own parent', () => {
  expect(extendsEntity(party, { child: party, lookup })).toBe('Party already extends Party.')
})

it('terminates if imported entities already form a cycle', () => {
  const a = anEntity({ name: 'A1', id: 9001, extendsEntity: { id: 9002, name: 'B1', path: '' } })
  const b = anEntity({ name: 'B1', id: 9002, extendsEntity: referenceTo(a) })
  const cyclic = new Map([a, b].map(entity => [entity.id, entity]))
  expect(extendsEntity(a, { child: party, lookup: id => cyclic.get(id) })).toBeUndefined()
})
