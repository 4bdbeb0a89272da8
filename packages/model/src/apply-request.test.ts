import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { contentFromRequest, withAutomaticKey } from './apply-request.ts'
import { entityUpdate, typeAttributeRequest } from './contract/entity-shapes.ts'
import { primaryKeyOf } from './entity.ts'
import { renamedPath } from './paths.ts'
import { entityProblems } from './rules/entity.ts'
import { aKey, anEntityContent, aTypeAttribute } from './testing/builders.ts'
import { request, stored, unchanged } from './testing/requests.ts'
import { newUid } from './uid.ts'

describe('a create request', () => {
  it(
    'fills a created entity with the documented defaults',
    holds('E3.30', 'E3.31', 'E3.36', 'E3.45', 'E3.48', 'E3.49'),
    () => {
      const content = contentFromRequest(
        request({
          typeAttributes: [{ name: 'title' }],
          entityAttributes: [
            {
              associatedEntityId: 5,
              associatedEntityTypeAttribute: 'id',
              foreignKeyAttribute: { typeAttributeName: 'countryId' },
            },
          ],
        }),
      )
      expect(content.typeAttributes).toMatchObject([
        { name: 'title', dataType: 'string', purpose: 'hasA', nullable: false, position: 0 },
      ])
      expect(content.entityAttributes).toMatchObject([
        {
          associatedEntity: { id: 5 },
          traitReference: 'is.identifiedBy',
          simple: 'true',
          foreignKeyPurpose: 'hasA',
          foreignKeyDataType: 'integer',
          nullable: true,
          position: 1,
        },
      ])
      expect(new Set([content.uid, content.typeAttributes[0]?.uid, content.entityAttributes[0]?.uid]).size).toBe(3)
    },
  )

  it('keeps uids of the request, but uses none twice', () => {
    const uid = newUid()
    const { typeAttributes } = contentFromRequest(
      request({
        typeAttributes: [
          { name: 'first', uid },
          { name: 'second', uid },
          { name: 'third', uid: 'nonsense' },
        ],
      }),
    )
    expect(typeAttributes[0]?.uid).toBe(uid)
    expect(new Set(typeAttributes.map(item => item.uid)).size).toBe(3)
    expect(typeAttributes[2]?.uid).toMatch(/^[\da-f-]{36}$/)
  })

  it('Max length is parsed as an integer', holds('E4.22'), () => {
    const { typeAttributes } = contentFromRequest(request({ typeAttributes: [{ name: 'code', maxLength: '080' }] }))
    expect(typeAttributes[0]?.maxLength).toBe(80)
  })

  it('passes an invalid max length to the rule instead of dropping it', holds('E5.18'), () => {
    for (const maxLength of ['12a', '-1', -1]) {
      const content = contentFromRequest(request({ typeAttributes: [{ name: 'code', maxLength }] }))
      expect(entityProblems(content).map(problem => problem.message)).toEqual(['this must contain only digits.'])
    }
  })

  it('keeps a max length for strings only', holds('E3.40'), () => {
    const content = contentFromRequest(
      request({ typeAttributes: [{ name: 'code', dataType: 'integer', maxLength: 9 }] }),
    )
    expect(content.typeAttributes[0]?.maxLength).toBeNull()
  })

  it('trims names of a request', () => {
    const content = contentFromRequest(request({ name: ' Customer ', typeAttributes: [{ name: ' title ' }] }))
    expect([content.name, content.typeAttributes[0]?.name]).toEqual(['Customer', 'title'])
  })
})

describe('the automatic key', () => {
  it('a new exclusive entity gets the integer key "id" before the entered attributes', holds('E3.26', 'E3.27'), () => {
    const content = withAutomaticKey(contentFromRequest(request({ typeAttributes: [{ name: 'title' }] })))
    expect(content.typeAttributes).toMatchObject([
      { name: 'id', dataType: 'integer', purpose: 'identifiedBy', position: 0 },
      { name: 'title', position: 1 },
    ])
  })

  it('adds no automatic key to an entity with a key; an attribute named id becomes the key', () => {
    const keyed = anEntityContent({ typeAttributes: [aKey({ name: 'code' })] })
    expect(withAutomaticKey(keyed)).toBe(keyed)
    const named = anEntityContent({ typeAttributes: [aTypeAttribute({ name: 'ID' })] })
    expect(withAutomaticKey(named).typeAttributes).toMatchObject([{ name: 'ID', purpose: 'identifiedBy' }])
  })
})

describe('an update request', () => {
  it('sending back the stored entity changes nothing', () => {
    expect(contentFromRequest(request(unchanged(stored)), stored)).toEqual(stored)
  })

  it('renaming an entity updates its name and the name portion of its path', holds('E4.19', 'E4.20'), () => {
    const content = contentFromRequest(request({ ...unchanged(stored), name: 'Client' }), stored)
    expect(content).toEqual({ ...stored, name: 'Client' })
    expect(renamedPath('user-defined/Shop/Customer', content.name)).toBe('user-defined/Shop/Client')
  })

  it('renaming the primary-key type attribute also updates the primary key, and is a rename', holds('E4.21'), () => {
    const entity = unchanged(stored)
    const [key, ...others] = request(entity).entity.typeAttributes
    const content = contentFromRequest(
      request({ ...entity, typeAttributes: [{ ...key, name: 'customerId' }, ...others] }),
      stored,
    )
    expect(primaryKeyOf(content)).toBe('customerId')
    expect(content.typeAttributes[0]?.uid).toBe(stored.typeAttributes[0]?.uid)
  })

  it('matches attributes by name if a request has no uids', () => {
    const entity = request(unchanged(stored)).entity
    const without = {
      ...entity,
      typeAttributes: entity.typeAttributes.map(({ uid: _uid, position: _position, ...rest }) => rest),
      entityAttributes: entity.entityAttributes.map(({ uid: _uid, position: _position, ...rest }) => rest),
    }
    expect(contentFromRequest(request(without), stored)).toEqual(stored)
  })

  it('an update keeps traits of unchanged attributes and drops traits of changed attributes', () => {
    const entity = request(unchanged(stored)).entity
    const typeAttributes = entity.typeAttributes.map(item =>
      item.name === 'title' ? { ...item, description: 'New' } : item,
    )
    const content = contentFromRequest(request({ ...entity, typeAttributes }), stored)
    expect(content.typeAttributes.map(item => item.traits)).toEqual([['is.identifiedBy'], [], ['means.count']])
    expect(content.entityAttributes[0]?.traits).toEqual(['is.linked'])
    expect(content.traits).toEqual(['is.entity'])
  })

  it('changing the data type clears the format, unless the request sets one', () => {
    const entity = request(unchanged(stored)).entity
    const as = (change: object) =>
      contentFromRequest(
        request({
          ...entity,
          typeAttributes: entity.typeAttributes.map(item => (item.name === 'pieces' ? { ...item, ...change } : item)),
        }),
        stored,
      ).typeAttributes.find(item => item.name === 'pieces')
    expect(as({ dataType: 'string' })?.format).toBeNull()
    expect(as({ dataType: 'dateTime', format: 'date' })?.format).toBe('date')
    expect(as({ description: 'x' })?.format).toBe('int32')
  })

  it('changing between decimals and integers clears the digits, unless the request sets them', () => {
    const price = aTypeAttribute({ name: 'price', dataType: 'double', precision: 9, scale: 2 })
    const changed = (typeAttribute: object) =>
      contentFromRequest(
        request({ typeAttributes: [{ name: 'price', ...typeAttribute }] }),
        anEntityContent({ typeAttributes: [price] }),
      ).typeAttributes
    expect(changed({ dataType: 'integer' })).toMatchObject([{ dataType: 'integer', precision: null, scale: null }])
    expect(changed({ dataType: 'integer', precision: 12 })).toMatchObject([{ precision: 12, scale: null }])
    expect(changed({ dataType: 'float' })).toMatchObject([{ precision: 9, scale: 2 }])
  })

  it('marking another attribute as the key unmarks the previous key', holds('E3.33'), () => {
    const entity = request(unchanged(stored)).entity
    const typeAttributes = entity.typeAttributes.map(item =>
      item.name === 'title' ? { ...item, purpose: 'identifiedBy' } : item,
    )
    const content = contentFromRequest(request({ ...entity, typeAttributes }), stored)
    expect(primaryKeyOf(content)).toBe('title')
    expect(entityProblems(content, { previous: stored })).toEqual([])
  })

  it('no attribute or relationship takes the uid of its entity', () => {
    const entity = request(unchanged(stored)).entity
    const { uid: _uid, ...relationship } = entity.entityAttributes[0]!
    const { uid } = stored
    const content = contentFromRequest(
      request({
        ...entity,
        typeAttributes: [...entity.typeAttributes, { name: 'added', uid }],
        entityAttributes: [
          ...entity.entityAttributes,
          {
            ...relationship,
            uid,
            foreignKeyTypeAttribute: 'otherId',
          },
        ],
      }),
      stored,
    )
    const items = [...content.typeAttributes, ...content.entityAttributes]
    expect(content.uid).toBe(uid)
    expect(items).toHaveLength(stored.typeAttributes.length + stored.entityAttributes.length + 2)
    expect(new Set([uid, ...items.map(item => item.uid)]).size).toBe(items.length + 1)
  })

  it('an attribute that becomes a foreign key keeps its uid', holds('E4.26'), () => {
    const entity = request(unchanged(stored)).entity
    const uid = stored.typeAttributes[2]?.uid
    const { uid: _uid, position: _position, ...relationship } = entity.entityAttributes[0]!
    const content = contentFromRequest(
      request({
        ...entity,
        typeAttributes: entity.typeAttributes.slice(0, 2),
        entityAttributes: [
          ...entity.entityAttributes,
          {
            ...relationship,
            foreignKeyTypeAttribute: 'pieces',
          },
        ],
      }),
      stored,
    )
    expect(content.entityAttributes.map(item => [item.foreignKeyTypeAttribute, item.uid, item.position])).toEqual([
      ['countryId', stored.entityAttributes[0]?.uid, 2],
      ['pieces', uid, 3],
    ])
  })

  it('keeps import paths and scopes that the request omits, and replaces those it contains', holds('E3.7'), () => {
    const { operationScopes: _scopes, ...entity } = unchanged(stored)
    expect(contentFromRequest(request(entity), stored)).toMatchObject({
      referenceImportPaths: ['cdm:/foundations.cdm.json'],
      operationScopes: { selectOperationScopes: ['read'] },
    })
    const changed = request(
      { ...entity, operationScopes: { insertOperationScopes: ['write'] } },
      { referenceImportPaths: ['a'] },
    )
    expect(contentFromRequest(changed, stored)).toMatchObject({
      referenceImportPaths: ['a'],
      operationScopes: { selectOperationScopes: ['read'], insertOperationScopes: ['write'] },
    })
  })

  it('sets and removes the parent', holds('E3.6'), () => {
    const entity = unchanged(stored)
    expect(contentFromRequest(request({ ...entity, extendsEntity: null }), stored).extendsEntity).toBeNull()
    expect(
      contentFromRequest(request({ ...entity, extendsEntity: { id: 4, name: 'Role' } }), stored).extendsEntity,
    ).toEqual({
      id: 4,
      name: 'Role',
      path: '',
    })
  })

  it('an update never changes the type of an entity', () => {
    const template = anEntityContent({ type: 'TEMPLATE' })
    expect(contentFromRequest(request({}, { type: 'EXCLUSIVE' }), template).type).toBe('TEMPLATE')
  })

  it('leaves fields and lists unchanged that an update omits', () => {
    expect(contentFromRequest(entityUpdate.parse({ entity: {} }), stored)).toEqual(stored)
    const [key, title, pieces] = stored.typeAttributes.map(({ uid }) => ({ uid }))
    const typeAttributes = [key, { ...title, description: 'Changed' }, pieces]
    const content = contentFromRequest(entityUpdate.parse({ entity: { typeAttributes } }), stored)
    expect(content.entityAttributes).toEqual(stored.entityAttributes)
    expect(content.typeAttributes[1]).toEqual({ ...stored.typeAttributes[1], description: 'Changed', traits: [] })
    const none = contentFromRequest(entityUpdate.parse({ entity: { entityAttributes: [] } }), stored)
    expect([none.entityAttributes, none.typeAttributes]).toEqual([[], stored.typeAttributes])
  })

  it('accepts nullable under both names, and rejects contradicting values', () => {
    const named = (fields: object) => contentFromRequest(request({ typeAttributes: [{ name: 'title', ...fields }] }))
    const nullables = [{ nullable: true }, { isNullable: true }, { nullable: true, isNullable: true }, {}]
    expect(nullables.map(fields => named(fields).typeAttributes[0]?.nullable)).toEqual([true, true, true, false])
    const { error } = typeAttributeRequest.safeParse({ name: 'title', nullable: true, isNullable: false })
    expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
      [['nullable'], '"nullable" and "isNullable" are one field: send one, or the same in both.'],
    ])
  })
})
