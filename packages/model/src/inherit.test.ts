import { describe, expect, it } from 'vitest'
import type { EntityNode } from './entity.ts'
import { ancestorsOf, closesExtendsCycle, resolvedAttributes } from './inherit.ts'
import { aKey, aList, anEntity, aRelationship, aTypeAttribute, referenceTo } from './testing/builders.ts'

const country = anEntity({ name: 'Country' })
const party = anEntity({
  name: 'Party',
  typeAttributes: [aKey({ name: 'partyId' }), aTypeAttribute({ name: 'title', position: 2 })],
  entityAttributes: [aRelationship(country, { position: 1 })],
})
const person = anEntity({
  name: 'Person',
  typeAttributes: aList(aTypeAttribute({ name: 'Title', maxLength: 20 }), aTypeAttribute({ name: 'birthday' })),
  extendsEntity: referenceTo(party),
})
const employee = anEntity({
  name: 'Employee',
  typeAttributes: [aKey({ name: 'number' })],
  extendsEntity: referenceTo(person),
})
const byId = new Map<number, EntityNode>([country, party, person, employee].map(entity => [entity.id, entity]))
const lookup = (id: number) => byId.get(id)

describe('inherited attributes', () => {
  it('inherited columns come first, foreign keys in position, and own columns override by name', () => {
    const resolved = resolvedAttributes(person, lookup)
    expect(resolved.map(({ name, origin, kind }) => [name, origin, kind])).toEqual([
      ['partyId', 'inherited', 'type'],
      ['countryId', 'inherited', 'foreignKey'],
      ['Title', 'own', 'type'],
      ['birthday', 'own', 'type'],
    ])
    expect(resolved[2]).toMatchObject({ maxLength: 20, declaredBy: { name: 'Person' } })
  })

  it('the nearest key is the primary key', () => {
    const keys = (entity: EntityNode) =>
      resolvedAttributes(entity, lookup)
        .filter(attribute => attribute.isPrimaryKey)
        .map(attribute => attribute.name)
    expect([party, person, employee].map(keys)).toEqual([['partyId'], ['partyId'], ['number']])
  })

  it('ancestors come nearest first; a cycle ends the list', () => {
    expect(ancestorsOf(employee, lookup).map(entity => entity.name)).toEqual(['Person', 'Party'])
    const loop = { ...party, extendsEntity: referenceTo(employee) }
    const cyclic = (id: number) => (id === party.id ? loop : lookup(id))
    expect(ancestorsOf(employee, cyclic).map(entity => entity.name)).toEqual(['Person', 'Party'])
    expect(resolvedAttributes(employee, cyclic).map(attribute => attribute.name)).toContain('birthday')
  })

  it('detects a parent that would close a cycle', () => {
    expect(closesExtendsCycle(party, employee, lookup)).toBe(true)
    expect(closesExtendsCycle(party, party, lookup)).toBe(true)
    expect(closesExtendsCycle(employee, party, lookup)).toBe(false)
  })
})
