import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addEntityVersion,
  addRelationship,
  createEntity,
  deleteRelationship,
  getEntity,
  listEntityLogs,
  updateEntity,
  updateRelationship,
} from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { messages } from '@cadmus/model/messages'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import {
  addPredefined,
  aRelationship,
  type EntityBody,
  relationshipBody,
  saveBody,
  typeAttributeBody,
} from '../testing/entities.ts'

describeOnBothStores.whenProving('Relationships', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let address: number
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    address = await addPredefined(server, { name: 'TestAddress' })
  })
  afterAll(() => server.stop())

  const create = async (name: string, entity: Partial<EntityBody['entity']> = {}): Promise<EntityAnswer> =>
    (await designer.call(createEntity, { body: { entity: { name, ...entity } } })).entity
  const get = async (id: number) => {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
    return { entity: answer.entity, etag }
  }
  const add = (id: number, body: ReturnType<typeof aRelationship>) =>
    designer.callWithTag(addRelationship, { params: { id }, body, ifMatch: '*' })
  const addRefused = (id: number, body: ReturnType<typeof aRelationship>) =>
    designer.refusal(addRelationship, { params: { id }, body, ifMatch: '*' })
  const saved = async (entity: EntityAnswer, changes: Partial<EntityBody['entity']>) =>
    (await designer.call(updateEntity, { params: { id: entity.id }, body: saveBody(entity, changes), ifMatch: '*' }))
      .entity
  const renamed = (entity: EntityAnswer, from: string, to: string) =>
    saved(entity, {
      typeAttributes: entity.typeAttributes.map(item => ({
        ...typeAttributeBody(item),
        name: item.name === from ? to : item.name,
      })),
    })

  it(
    'relationships are added with defaults and return the new tag',
    holds('E7.41', 'E3.42', 'E3.43', 'E3.45', 'E3.46', 'E3.47', 'E3.48'),
    async () => {
      const customer = await create('Customer')
      const { answer, etag } = await add(customer.id, aRelationship({ id: address }, 'addressId'))
      expect(answer.entityAttribute).toMatchObject({
        associatedEntity: { id: address, name: 'TestAddress', path: 'predefined/tests/TestAddress' },
        associatedEntityTypeAttribute: 'id',
        traitReference: 'is.identifiedBy',
        simple: 'true',
        foreignKeyTypeAttribute: 'addressId',
        foreignKeyPurpose: 'hasA',
        foreignKeyDataType: 'integer',
        isDefault: false,
      })
      const after = await get(customer.id)
      expect(after.etag).toBe(etag)
      expect(after.entity.entityAttributes).toEqual([answer.entityAttribute])
      expect(after.entity.resolvedAttributes?.map(item => item.name)).toEqual(['id', 'addressId'])
    },
  )

  it('a new relationship with changed read-only properties is rejected; the properties of an answer are accepted', async () => {
    const { id } = await create('Borrowing')
    const body = aRelationship({ id: address }, 'addressId')
    const wrong = { isDefault: true, traits: ['is.own'], copiedFrom: 'x' }
    const before = await get(id)
    for (const [name, value] of Object.entries(wrong)) {
      const refused = await addRefused(id, { ...body, [name]: value })
      expect([refused.status, refused.answer.errors]).toEqual([400, [{ path: name, message: messages.readOnly(name) }]])
    }
    expect(await get(id)).toEqual(before)
    const { answer } = await add((await create('Lending')).id, body)
    const { uid: _uid, ...rest } = answer.entityAttribute
    expect((await add(id, rest)).answer.entityAttribute).toMatchObject(rest)
  })

  it('accept the uid and position of a new relationship, like a save of the entity', async () => {
    const body = aRelationship({ id: address }, 'addressId')
    const typeAttributes = [{ name: 'note' }, { name: 'size' }]
    const uids = ['5f0c1a52-0a87-4d3c-9b61-30b1f8a6c1d4', '5f0c1a52-0a87-4d3c-9b61-30b1f8a6c1d5']
    const placesIn = (entity: EntityAnswer) => [
      ...entity.typeAttributes.map(({ name, position }) => [name, position]),
      ...entity.entityAttributes.map(item => [item.foreignKeyTypeAttribute, item.position]),
    ]
    for (const position of [1, 40]) {
      const added = await create(`Added${position}`, { typeAttributes })
      const put = await create(`Put${position}`, { typeAttributes })
      // A free uid is taken; that of the entity is not.
      const [one, other] = position === 1 ? uids : [added.uid, put.uid]
      const { answer } = await add(added.id, { ...body, position, uid: one })
      const entityAttributes = [{ ...body, position, uid: other }]
      const states = [
        (await get(added.id)).entity,
        await saved(put, { typeAttributes: put.typeAttributes, entityAttributes }),
      ]
      const [addedPlaces, putPlaces] = states.map(placesIn)
      expect(addedPlaces).toEqual(putPlaces)
      const isTaken = states.map(({ entityAttributes: [item] }, index) => item?.uid === [one, other][index])
      expect(isTaken).toEqual(Array(2).fill(position === 1))
      expect(states[0]?.entityAttributes).toEqual([answer.entityAttribute])
    }
  })

  it('support keys of every type but objects', holds('E3.49'), async () => {
    const { id } = await create('KeyTypes')
    const text = aRelationship({ id: address }, 'textKey')
    const { answer } = await add(id, {
      ...text,
      foreignKeyAttribute: { typeAttributeName: 'textKey', dataType: 'string' },
    })
    expect(answer.entityAttribute.foreignKeyDataType).toBe('string')
    const { answer: defaulted } = await add(id, aRelationship({ id: address }, 'plainKey'))
    expect(defaulted.entityAttribute.foreignKeyDataType).toBe('integer')
    const body = { ...text, foreignKeyAttribute: { typeAttributeName: 'boolKey', dataType: 'object' } }
    expect((await designer.send(addRelationship, { params: { id }, body, ifMatch: '*' })).status).toBe(400)
    const { entityAttributes } = (await get(id)).entity
    expect(entityAttributes.map(item => [item.foreignKeyTypeAttribute, item.foreignKeyDataType])).toEqual([
      ['textKey', 'string'],
      ['plainKey', 'integer'],
    ])
  })

  it("convert a type attribute with the foreign key's name, keeping uid and position", holds('E4.26'), async () => {
    const entity = await create('Turned', {
      typeAttributes: [{ name: 'first' }, { name: 'country_id' }, { name: 'last' }],
    })
    const before = entity.typeAttributes.find(item => item.name === 'country_id')
    const { answer } = await add(entity.id, aRelationship({ id: address }, 'country_id'))
    expect(answer.entityAttribute.uid).toBe(before?.uid)
    const after = (await get(entity.id)).entity
    expect(after.typeAttributes.map(item => item.name)).toEqual(['id', 'first', 'last'])
    expect(after.resolvedAttributes?.map(item => item.name)).toEqual(['id', 'first', 'country_id', 'last'])
  })

  it('decisions §4 a concurrently added relationship keeps unsaved attributes: the later save is merged', async () => {
    const entity = await create('Pending', { typeAttributes: [{ name: 'title' }] })
    const { etag } = await get(entity.id)
    await add(entity.id, aRelationship({ id: address }, 'addressId'))
    const body = saveBody(entity, { description: 'pending edit' })
    await designer.call(updateEntity, { params: { id: entity.id }, body, ifMatch: etag })
    const after = (await get(entity.id)).entity
    expect(after.description).toBe('pending edit')
    expect(after.entityAttributes.map(item => item.foreignKeyTypeAttribute)).toEqual(['addressId'])
  })

  it('relationships are changed individually and immediately', holds('E7.42', 'E7.43', 'E4.25'), async () => {
    const { id } = await create('Two')
    await add(id, aRelationship({ id: address }, 'billTo'))
    const { answer: second } = await add(id, aRelationship({ id: address }, 'shipTo'))
    const query = { associatedAttributeName: 'shipTo' }
    const body = { ...relationshipBody(second.entityAttribute), description: 'Where it goes.' }
    const params = { id, associatedEntityId: address }
    const { answer, etag } = await designer.callWithTag(updateRelationship, { params, query, body, ifMatch: '*' })
    expect(answer.entityAttribute).toMatchObject({ description: 'Where it goes.', uid: second.entityAttribute.uid })
    const after = await get(id)
    expect(after.etag).toBe(etag)
    expect(after.entity.entityAttributes.map(item => item.description)).toEqual(['', 'Where it goes.'])
    const anonymous = await designer.refusal(updateRelationship, {
      params,
      query: { associatedAttributeName: 'no' },
      body,
      ifMatch: '*',
    })
    expect(anonymous.status).toBe(404)
  })

  it('relationships are removed individually', holds('E7.44', 'E7.45', 'E8.13'), async () => {
    const { id } = await create('Three')
    await add(id, aRelationship({ id: address }, 'billTo'))
    await add(id, aRelationship({ id: address }, 'shipTo'))
    const params = { id, associatedEntityId: address }
    const input = { params, query: { associatedAttributeName: 'billTo' }, ifMatch: '*' }
    const { answer, etag } = await designer.callWithTag(deleteRelationship, input)
    expect(answer.message).toBe('Successfully deleted entity attributes!')
    const after = await get(id)
    expect(after.etag).toBe(etag)
    expect(after.entity.entityAttributes.map(item => item.foreignKeyTypeAttribute)).toEqual(['shipTo'])
    expect((await designer.refusal(deleteRelationship, input)).status).toBe(404)
  })

  it(
    'reject invalid names and targets with a message per field',
    holds('E5.24', 'E5.25', 'E5.26', 'E5.28', 'E5.29'),
    async () => {
      const { id } = await create('Judged')
      await add(id, aRelationship({ id: address }, 'taken'))
      const name = 'foreignKeyAttribute.typeAttributeName'
      const bounds = 'this must be 2 to 50 characters long.'
      const cases: [ReturnType<typeof aRelationship>, string, string][] = [
        [aRelationship({ id: address }, 'a'), name, bounds],
        [aRelationship({ id: address }, 'a'.repeat(51)), name, bounds],
        [
          aRelationship({ id: address }, 'a__b'),
          name,
          'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.',
        ],
        [aRelationship({ id: address }, 'id'), name, 'Primary key should not be used as foreign key type attribute'],
        [aRelationship({ id: address }, 'TAKEN'), name, 'A relationship with the foreign key "TAKEN" already exists.'],
        [aRelationship({ id: address }, 'keyA', 'x'), 'associatedEntityTypeAttribute', bounds],
        [aRelationship({ id: address }, 'keyF', 'x'.repeat(51)), 'associatedEntityTypeAttribute', bounds],
        [
          aRelationship({ id: address }, 'keyB', 'nothing'),
          'associatedEntityTypeAttribute',
          messages.targetAttributeMissing('TestAddress', 'nothing'),
        ],
        [aRelationship({ id: -1 }, 'keyC'), 'associatedEntityId', 'Required'],
        [aRelationship({ id: 999_999 }, 'keyD'), 'associatedEntityId', messages.targetMissing],
        [aRelationship({ id }, 'keyE'), 'associatedEntityId', messages.sameEntityAssociated],
      ]
      for (const [body, path, message] of cases) {
        const refusal = await addRefused(id, body)
        expect(refusal.status).toBe(400)
        expect(refusal.answer.errors).toContainEqual({ path, message })
      }
      // Names of 2 or 50 characters are valid but unknown.
      for (const attribute of ['xy', 'x'.repeat(50)]) {
        const refusal = await addRefused(id, aRelationship({ id: address }, 'keyG', attribute))
        const message = `TestAddress has no attribute "${attribute}".`
        expect(refusal.answer.errors).toEqual([{ path: 'associatedEntityTypeAttribute', message }])
      }
      expect((await get(id)).entity.entityAttributes).toHaveLength(1)
    },
  )

  it('problems of a relationship name the fields as sent', async () => {
    const { id } = await create('Spelled')
    const name = { associatedEntityTypeAttribute: 'id', foreignKeyTypeAttribute: 'a__b' }
    const itself = { ...name, associatedEntity: { id, name: '', path: '' } }
    const paths = async (body: object, ifMatch = '*') => {
      const entity = { entityAttributes: [body] }
      const single = await designer.refusal(addRelationship, { params: { id }, body, ifMatch })
      const whole = await designer.refusal(updateEntity, { params: { id }, body: { entity }, ifMatch })
      const places = [single, whole].map(({ answer }) => answer.errors?.map(({ path }) => path))
      expect(places[1]).toEqual(places[0]?.map(path => `entity.entityAttributes.0.${path}`))
      return places[0]
    }
    expect(await paths(itself)).toEqual(['foreignKeyTypeAttribute', 'associatedEntity'])
    const { foreignKeyTypeAttribute: typeAttributeName, ...rest } = name
    const documented = { ...rest, associatedEntityId: id, foreignKeyAttribute: { typeAttributeName } }
    expect(await paths(documented)).toEqual(['foreignKeyAttribute.typeAttributeName', 'associatedEntityId'])
  })

  it('relationships of an entity to itself are rejected in a save too', holds('E5.35'), async () => {
    const entity = await create('Selfish')
    const body = saveBody(entity, { entityAttributes: [aRelationship(entity, 'selfId')] })
    const refusal = await designer.refusal(updateEntity, { params: { id: entity.id }, body, ifMatch: '*' })
    expect(refusal.answer.errors).toEqual([
      { path: 'entity.entityAttributes.0.associatedEntityId', message: messages.sameEntityAssociated },
    ])
  })

  it('relationships are rejected on locked entities', holds('E4.10', 'E4.13'), async () => {
    expect((await addRefused(address, aRelationship({ id: address }, 'otherId'))).status).toBe(403)
    const { id } = await create('Frozen')
    await designer.call(addEntityVersion, { params: { id }, query: { version: '2.0.0' } })
    const refusal = await addRefused(id, { ...aRelationship({ id: address }, 'addressId'), version: '1.0.0' })
    expect(refusal).toMatchObject({ status: 403, answer: { message: messages.locked.version } })
  })

  it('relationships can target an inherited attribute and show current names', async () => {
    const base = await create('BaseThing', { typeAttributes: [{ name: 'code' }] })
    const subtype = await create('Heir', { extendsEntity: { id: base.id } })
    const { id } = await create('Pointing')
    await add(id, aRelationship(subtype, 'heirCode', 'code'))
    await saved(subtype, { name: 'HeirToday' })
    const { entity } = await get(id)
    expect(entity.entityAttributes[0]?.associatedEntity).toMatchObject({
      name: 'HeirToday',
      path: 'user-defined/HeirToday',
    })
  })

  it('relationships of other entities follow a renamed attribute, through subtypes too, with audit entries', async () => {
    const base = await create('Renamer', { typeAttributes: [{ name: 'code' }] })
    const subtype = await create('RenamerHeir', { extendsEntity: { id: base.id } })
    const hiding = await create('RenamerHiding', { extendsEntity: { id: base.id }, typeAttributes: [{ name: 'code' }] })
    const follower = await create('Follower')
    await add(follower.id, aRelationship(base, 'direct', 'code'))
    await add(follower.id, aRelationship(subtype, 'inherited', 'CODE'))
    await add(follower.id, aRelationship(hiding, 'hidden', 'code'))
    await add(follower.id, aRelationship(base, 'key', 'id'))
    await renamed(base, 'code', 'article_code')
    const { entity } = await get(follower.id)
    const targets = entity.entityAttributes.map(item => [
      item.foreignKeyTypeAttribute,
      item.associatedEntityTypeAttribute,
    ])
    expect(Object.fromEntries(targets)).toEqual({
      direct: 'article_code',
      inherited: 'article_code',
      hidden: 'code',
      key: 'id',
    })
    const { entityLogs } = await designer.call(listEntityLogs, { query: { limit: 2 } })
    expect(entityLogs.map(entry => entry.ENTITY_NAME).toSorted()).toEqual(['Follower', 'Renamer'])
    expect(entityLogs.find(entry => entry.ENTITY_NAME === 'Follower')?.DESCRIPTION).toBe(
      messages.followedRename('Renamer', ['article_code']),
    )
  })

  it('relationships that follow a rename are part of one change', async () => {
    const base = await create('Popular')
    const followers = await Promise.all(Array.from({ length: 12 }, (_, index) => create(`Fan${index}`)))
    for (const { id } of followers) await add(id, aRelationship(base, 'popularId'))
    await renamed(base, 'id', 'popular_key')
    for (const { id } of followers) {
      expect((await get(id)).entity.entityAttributes[0]?.associatedEntityTypeAttribute).toBe('popular_key')
    }
  })
})
