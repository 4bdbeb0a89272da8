import { describe, expect, it } from 'vitest'
import { compareEntities, describeChanges } from './compare.ts'
import type { EntityContent } from './entity.ts'
import { aKey, aList, anEntity, anEntityContent, aRelationship, aTypeAttribute } from './testing/builders.ts'
import type { TypeAttribute } from './type-attribute.ts'

const country = anEntity({ name: 'Country' })
const before = anEntityContent({
  typeAttributes: aList(
    aKey(),
    aTypeAttribute({ name: 'title' }),
    aTypeAttribute({ name: 'countryId' }),
    aTypeAttribute({ name: 'note' }),
  ),
})
const [id, title, countryId, note] = before.typeAttributes

function changesText(after: EntityContent): string {
  return describeChanges(compareEntities(before, after))
}

function withAttribute(attribute: TypeAttribute | undefined, change: Partial<TypeAttribute>): EntityContent {
  return {
    ...before,
    typeAttributes: before.typeAttributes.map(item => (item === attribute ? { ...item, ...change } : item)),
  }
}

describe('comparing entities', () => {
  it('reports a rename of an entity or attribute as a rename', () => {
    expect(changesText({ ...before, name: 'Client' })).toBe('Renamed entity Customer to Client')
    expect(changesText(withAttribute(title, { name: 'heading' }))).toBe('Renamed attribute title to heading')
  })

  it('treats an attribute with the same name and another uid as another attribute', () => {
    const other = {
      ...before,
      typeAttributes: [...before.typeAttributes.slice(0, 3), aTypeAttribute({ name: 'note', position: 3 })],
    }
    expect(changesText(other)).toBe('Removed attribute note; added attribute note')
  })

  it('reports added, removed and moved attributes and relationships', () => {
    const typeAttributes = aList(id!, note!, title!, aTypeAttribute({ name: 'colour' }))
    const after = {
      ...before,
      typeAttributes,
      entityAttributes: [aRelationship(country, { position: 4, foreignKeyTypeAttribute: 'landId' })],
    }
    expect(changesText(after)).toBe(
      'Removed attribute countryId; moved attribute note; added attribute colour; added relationship landId',
    )
  })

  it('reports the changed field, with short values', () => {
    expect(
      changesText(
        withAttribute(title, { dataType: 'integer', maxLength: 80, nullable: true, description: 'x'.repeat(99) }),
      ),
    ).toBe(
      'Changed data type of attribute title from string to integer; changed description of attribute title; ' +
        'changed nullable of attribute title from false to true; changed max length of attribute title from none to 80',
    )
    const scopes = { ...before.operationScopes, selectOperationScopes: ['read'] }
    expect(
      changesText({
        ...before,
        operationScopes: scopes,
        extendsEntity: { id: 7, name: 'Party', path: 'user-defined/Party' },
      }),
    ).toBe('Changed extends entity of the entity from none to Party; changed select operation scopes of the entity')
  })

  it('reports an attribute that became a foreign key', () => {
    const key = aRelationship(country, { uid: countryId!.uid, position: 2 })
    const after = { ...before, typeAttributes: [id!, title!, note!], entityAttributes: [key] }
    expect(compareEntities(before, after).map(change => change.kind)).toEqual(['converted'])
    expect(changesText(after)).toBe('Made countryId a foreign key')
    expect(describeChanges(compareEntities(after, before))).toBe('Made countryId an attribute of its own')
  })

  it('ignores a new name of the same target', () => {
    const key = aRelationship(country, { position: 4 })
    const renamed = { ...key, associatedEntity: { ...key.associatedEntity, name: 'Land', path: 'user-defined/Land' } }
    expect(compareEntities({ ...before, entityAttributes: [key] }, { ...before, entityAttributes: [renamed] })).toEqual(
      [],
    )
  })

  it('lists no changes of equal states, and few lines for very different ones', () => {
    expect(compareEntities(before, structuredClone(before))).toEqual([])
    expect(changesText(before)).toBe('Saved without a change')
    const many = Array.from({ length: 500 }, (_, index) => aTypeAttribute({ name: `a${index}`, position: index + 4 }))
    expect(changesText({ ...before, typeAttributes: [...before.typeAttributes, ...many] })).toMatch(/; 492 more$/)
  })
})
