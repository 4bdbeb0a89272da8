import { describe, expect, it } from 'vitest'
import { addRelationship, changeRelationship, findRelationship, removeRelationship } from './apply-relationship.ts'
import { relationshipRequest } from './contract/entity-shapes.ts'
import { aKey, aList, anEntity, anEntityContent, aTypeAttribute } from './testing/builders.ts'

const country = anEntity({ name: 'Country' })
const content = anEntityContent({
  typeAttributes: aList(
    aKey(),
    aTypeAttribute({ name: 'countryId', description: 'Where' }),
    aTypeAttribute({ name: 'title' }),
  ),
})

function request(foreignKey: string, given: Record<string, unknown> = {}) {
  return relationshipRequest.parse({
    associatedEntityId: country.id,
    associatedEntityName: country.name,
    associatedEntityPath: country.path,
    associatedEntityTypeAttribute: 'id',
    foreignKeyAttribute: { typeAttributeName: foreignKey },
    ...given,
  })
}

describe('adding a relationship', () => {
  it('E4.26 takes the place of a matching non-key type attribute and keeps its uid', () => {
    const { content: after, added } = addRelationship(content, request('CountryId'))
    expect(after.typeAttributes.map(item => item.name)).toEqual(['id', 'title'])
    expect(after.entityAttributes).toEqual([added])
    expect(added).toMatchObject({ uid: content.typeAttributes[1]?.uid, position: 1, description: 'Where' })
    expect(added.associatedEntity).toEqual({ id: country.id, name: 'Country', path: country.path })
  })

  it('comes last where nothing matches', () => {
    const { content: after, added } = addRelationship(content, request('ownerId'))
    expect(after.typeAttributes).toEqual(content.typeAttributes)
    expect(added.position).toBe(3)
  })
})

describe('an existing relationship', () => {
  const { content: related, added } = addRelationship(content, request('ownerId'))

  it('is found by entity and foreign key', () => {
    expect(findRelationship(related, country.id, 'OWNERID')).toBe(added)
    expect(findRelationship(related, country.id, 'countryId')).toBeUndefined()
    expect(findRelationship(related, country.id + 1, 'ownerId')).toBeUndefined()
  })

  it('E4.25 is changed in its place; all else stays', () => {
    const changed = changeRelationship(
      related,
      added.uid,
      request('holderId', { description: 'Who holds it', onDelete: 'cascade' }),
    )
    expect(changed).toEqual({
      ...related,
      entityAttributes: [
        { ...added, foreignKeyTypeAttribute: 'holderId', description: 'Who holds it', onDelete: 'cascade' },
      ],
    })
  })

  it('is removed', () => {
    expect(removeRelationship(related, added.uid)).toEqual({ ...content, entityAttributes: [] })
  })
})
