import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { relationshipRequest } from '../contract/entity-shapes.ts'
import { aKey, aList, anEntity, anEntityContent, aTypeAttribute } from '../testing/builders.ts'
import { newUid } from '../uid.ts'
import { applyEntityEdits } from './entity-edits.ts'
import {
  findRelationship,
  addRelationshipEdits,
  changeRelationshipEdits,
  removeRelationshipEdits,
} from './relationship-edits.ts'

const country = anEntity({ name: 'Country' })
const content = anEntityContent({
  typeAttributes: aList(
    aKey(),
    aTypeAttribute({ name: 'countryId', description: 'Where' }),
    aTypeAttribute({ name: 'title' }),
  ),
})

function request(foreignKey: string, fields: Record<string, unknown> = {}) {
  return relationshipRequest.parse({
    associatedEntityId: country.id,
    associatedEntityName: country.name,
    associatedEntityPath: country.path,
    associatedEntityTypeAttribute: 'id',
    foreignKeyAttribute: { typeAttributeName: foreignKey },
    ...fields,
  })
}

function added(foreignKey: string) {
  const {
    edits,
    item: { uid },
  } = addRelationshipEdits(content, request(foreignKey))
  const after = applyEntityEdits(content, edits)
  return { after, uid, relationship: after.entityAttributes.find(item => item.uid === uid) }
}

describe('adding a relationship', () => {
  it('a new relationship replaces a non-key type attribute of the same name and keeps its uid', holds('E4.26'), () => {
    const { after, uid, relationship } = added('CountryId')
    expect(after.typeAttributes.map(item => item.name)).toEqual(['id', 'title'])
    expect(after.entityAttributes).toHaveLength(1)
    expect(uid).toBe(content.typeAttributes[1]?.uid)
    expect(relationship).toMatchObject({ position: 1, description: 'Where' })
    expect(relationship?.associatedEntity).toMatchObject({ id: country.id, name: 'Country', path: country.path })
  })

  it('a new relationship takes the uid of the request, unless the entity uses it', () => {
    const uid = newUid()
    expect(addRelationshipEdits(content, request('ownerId', { uid })).item.uid).toBe(uid)
    expect(addRelationshipEdits(content, request('ownerId', { uid: content.uid })).item.uid).not.toBe(content.uid)
  })

  it('a new relationship gets the last position if no attribute matches', () => {
    const { after, relationship } = added('ownerId')
    expect(after.typeAttributes).toEqual(content.typeAttributes)
    expect(relationship?.position).toBe(3)
  })
})

describe('an existing relationship', () => {
  const { after: related, uid, relationship } = added('ownerId')

  it('finds a relationship by entity and foreign key', () => {
    expect(findRelationship(related, country.id, 'OWNERID')).toBe(relationship)
    expect(findRelationship(related, country.id, 'countryId')).toBeUndefined()
    expect(findRelationship(related, country.id + 1, 'ownerId')).toBeUndefined()
  })

  it('changing a relationship keeps its position and leaves the rest unchanged', holds('E4.25'), () => {
    const fields = { description: 'Who holds it', onDelete: 'cascade' }
    const changed = applyEntityEdits(related, changeRelationshipEdits(related, uid, request('holderId', fields)))
    expect(changed).toEqual({
      ...related,
      entityAttributes: [{ ...relationship, foreignKeyTypeAttribute: 'holderId', ...fields }],
    })
  })

  it('removes a relationship', () => {
    expect(applyEntityEdits(related, removeRelationshipEdits(uid))).toEqual({ ...content, entityAttributes: [] })
  })
})
