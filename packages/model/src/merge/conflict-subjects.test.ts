import { describe, expect, it } from 'vitest'
import type { EntityContent } from '../entity.ts'
import type { EntityAttribute } from '../entity-attribute.ts'
import {
  aKey,
  aList,
  anEntity,
  anEntityContent,
  aRelationship,
  aTypeAttribute,
  referenceTo,
} from '../testing/builders.ts'
import type { TypeAttribute } from '../type-attribute.ts'
import { conflictSubjects, indexedState } from './conflict-subjects.ts'
import { mergeEntity } from './entity.ts'

const country = anEntity({ name: 'Country' })
const person = anEntity({ name: 'Person' })
const base = anEntityContent({
  typeAttributes: aList(aKey(), aTypeAttribute({ name: 'title' }), aTypeAttribute({ name: 'note' })),
  entityAttributes: [aRelationship(country, { position: 3 })],
})
const note = base.typeAttributes[2]!

const attribute = (content: EntityContent, name: string, change: Partial<TypeAttribute>): EntityContent => ({
  ...content,
  typeAttributes: content.typeAttributes.map(item => (item.name === name ? { ...item, ...change } : item)),
})
const relationship = (content: EntityContent, change: Partial<EntityAttribute>): EntityContent => ({
  ...content,
  entityAttributes: content.entityAttributes.map(item => ({ ...item, ...change })),
})
const without = (content: EntityContent, name: string): EntityContent => ({
  ...content,
  typeAttributes: content.typeAttributes.filter(item => item.name !== name),
})
const withAdded = (content: EntityContent, ...added: TypeAttribute[]): EntityContent => ({
  ...content,
  typeAttributes: [...content.typeAttributes, ...added],
})

/** Returns a function that compares two states by the subject of the conflict at `place`. */
function subject(mine: EntityContent, theirs: EntityContent, place: string) {
  const conflicts = mergeEntity(base, mine, theirs).conflicts ?? []
  const sides = { base: indexedState(base), mine: indexedState(mine), theirs: indexedState(theirs) }
  const isSame = conflictSubjects(conflicts, sides)[conflicts.findIndex(one => `${one.path} ${one.field}` === place)]
  if (!isSame) throw new Error(`Conflicts: ${JSON.stringify(conflicts)}`)
  return (one: EntityContent | undefined, other: EntityContent | undefined) =>
    isSame(one && indexedState(one), other && indexedState(other))
}

describe('the subject of a conflict', () => {
  it('is a field of the entity and unaffected by any other change', () => {
    const described = (description: string) => ({ ...base, description })
    const isSame = subject(described('mine'), described('theirs'), ' description')
    expect(isSame(base, attribute({ ...base, name: 'Other' }, 'note', { description: 'x' }))).toBe(true)
    expect(isSame(base, described('theirs'))).toBe(false)
  })

  it('differs if one of the states is missing', () => {
    const described = (description: string) => ({ ...base, description })
    const isSame = subject(described('mine'), described('theirs'), ' description')
    expect([isSame(undefined, undefined), isSame(base, undefined), isSame(undefined, base)]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('is a parent by its identity, whatever its name', () => {
    const to = (id: number, name: string) => ({ ...base, extendsEntity: { id, name, path: `user-defined/${name}` } })
    const isSame = subject(to(7, 'Party'), to(8, 'Role'), ' extendsEntity')
    expect(isSame(to(7, 'Party'), to(7, 'Partner'))).toBe(true)
    expect(isSame(to(7, 'Party'), to(8, 'Party'))).toBe(false)
  })

  it('is the scopes of one operation', () => {
    const scopes = (change: object) => ({ ...base, operationScopes: { ...base.operationScopes, ...change } })
    const [mine, theirs] = ['mine', 'theirs'].map(name => scopes({ selectOperationScopes: [name] }))
    const isSame = subject(mine!, theirs!, 'operationScopes selectOperationScopes')
    expect(isSame(base, scopes({ insertOperationScopes: ['x'] }))).toBe(true)
    expect(isSame(base, theirs)).toBe(false)
  })

  it('is a field of one column, also after another column took its name', () => {
    const isSame = subject(
      attribute(base, 'note', { maxLength: 5 }),
      attribute(base, 'note', { maxLength: 9 }),
      'typeAttributes.note maxLength',
    )
    const renamed = withAdded(attribute(base, 'note', { name: 'memo' }), aTypeAttribute({ name: 'note', maxLength: 7 }))
    expect(isSame(base, renamed)).toBe(true)
    expect(isSame(base, attribute(base, 'note', { maxLength: 9 }))).toBe(false)
    expect(isSame(base, without(base, 'note'))).toBe(false)
  })

  it('is the column with the values of both sides if several columns have the same name', () => {
    const shared = aTypeAttribute({ name: 'note', position: 4 })
    const renamed = attribute(base, 'note', { name: 'memo' })
    const both = (length: number) => withAdded(renamed, { ...shared, maxLength: length })
    const isAdded = subject(both(5), both(9), 'typeAttributes.note maxLength')
    expect(isAdded(both(5), both(9))).toBe(false)
    expect(isAdded(both(5), attribute(both(5), 'memo', { maxLength: 3 }))).toBe(true)

    const mine = withAdded(attribute(renamed, 'memo', { maxLength: 5 }), shared)
    const isFormer = subject(mine, attribute(base, 'note', { maxLength: 9 }), 'typeAttributes.note maxLength')
    expect(isFormer(mine, attribute(mine, 'memo', { maxLength: 9 }))).toBe(false)
    expect(isFormer(mine, attribute(mine, 'note', { maxLength: 9 }))).toBe(true)
  })

  it('is a whole column that one side removed, apart from its position', () => {
    const changed = attribute(base, 'note', { unique: true })
    const isSame = subject(without(base, 'note'), changed, 'typeAttributes.note deleted')
    expect(isSame(base, attribute(base, 'note', { position: 9 }))).toBe(true)
    expect(isSame(base, changed)).toBe(false)
    expect(isSame(base, without(base, 'note'))).toBe(false)
  })

  it('is the name of an added column if both sides use the same name, case-insensitively', () => {
    const [mine, theirs] = ['email', 'Email'].map(name => aTypeAttribute({ name, position: 4 }))
    const named = withAdded(base, theirs!)
    const isSame = subject(withAdded(base, mine!), named, 'typeAttributes.email name')
    expect(isSame(named, attribute(named, 'Email', { name: 'EMAIL' }))).toBe(true)
    expect(isSame(named, attribute(named, 'Email', { name: 'mail' }))).toBe(false)
    expect(isSame(base, named)).toBe(false)
  })

  it('is the key, whatever happens to other columns', () => {
    const keyIs = (name: string) =>
      attribute(attribute(base, 'id', { purpose: 'hasA' }), name, { purpose: 'identifiedBy' })
    const isSame = subject(keyIs('title'), keyIs('note'), ' primaryKey')
    expect(isSame(base, without(attribute(base, 'id', { name: 'key' }), 'note'))).toBe(true)
    expect(isSame(base, keyIs('note'))).toBe(false)
  })

  it('is the order of the columns that existed before and still do', () => {
    const placed = (names: string[]) =>
      base.typeAttributes.reduce(
        (content, { name }) => attribute(content, name, { position: names.indexOf(name) }),
        base,
      )
    const [mine, theirs] = [placed(['note', 'id', 'title']), placed(['id', 'note', 'title'])]
    const isSame = subject(mine, withAdded(theirs, aTypeAttribute({ name: 'added', position: 5 })), ' order')
    const again = placed(['id', 'note', 'title'])
    expect(isSame(theirs, withAdded({ ...again, description: 'x' }, aTypeAttribute({ position: -1 })))).toBe(true)
    expect(isSame(theirs, { ...theirs, typeAttributes: theirs.typeAttributes.toReversed() })).toBe(true)
    expect(isSame(theirs, base)).toBe(false)
  })

  it('is the target of a relationship by its uid if that is known, otherwise by its name', () => {
    const targeting = (name: string, uid: string | null = null) =>
      relationship(base, { associatedEntityTypeAttribute: name, associatedEntityTypeAttributeUid: uid })
    const theirs = targeting('code', 'a')
    const place = 'entityAttributes.countryId associatedEntityTypeAttribute'
    const isSame = subject(targeting('number', 'b'), theirs, place)
    expect(isSame(theirs, targeting('renamed', 'a'))).toBe(true)
    expect(isSame(theirs, targeting('code'))).toBe(true)
    expect(isSame(theirs, targeting('number', 'b'))).toBe(false)
    expect(isSame(targeting('other', 'c'), targeting('renamed', 'c'))).toBe(true)
    expect(isSame(targeting('other'), targeting('another'))).toBe(false)
    const removed = { ...base, entityAttributes: [] }
    expect([isSame(removed, removed), isSame(theirs, removed)]).toEqual([true, false])
    const asAttribute = withAdded(removed, aTypeAttribute({ uid: base.entityAttributes[0]!.uid, position: 3 }))
    expect([isSame(removed, asAttribute), isSame(theirs, asAttribute)]).toEqual([true, false])
  })

  it('is the entity of a relationship by its identity', () => {
    const to = (entity: typeof country) => relationship(base, { associatedEntity: referenceTo(entity) })
    const order = anEntity({ name: 'Order' })
    const isSame = subject(to(person), to(order), 'entityAttributes.countryId associatedEntity')
    expect(isSame(base, to({ ...country, name: 'Land' }))).toBe(true)
    expect(isSame(base, to(order))).toBe(false)
  })

  it('is a relationship that one side added in place of an attribute', () => {
    const item = aRelationship(person, { uid: note.uid, position: 2 })
    const theirs = { ...without(base, 'note'), entityAttributes: [...base.entityAttributes, item] }
    const isSame = subject(without(base, 'note'), theirs, 'typeAttributes.note deleted')
    expect(isSame(theirs, { ...theirs, description: 'x' })).toBe(true)
    expect(isSame(base, theirs)).toBe(false)
  })
})
