import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addRelationship,
  createEntity,
  deleteRelationship,
  getEntity,
  updateEntity,
  updateRelationship,
} from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship, relationshipBody, saveBody } from '../testing/entities.ts'

describeOnBothStores.whenProving('Relationship calls with a base', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let target: EntityAnswer
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    target = (await designer.call(createEntity, { body: { entity: { name: 'Target' } } })).entity
  })
  afterAll(() => server.stop())

  const get = async (id: number) => {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
    return { entity: answer.entity, etag }
  }
  let count = 0
  /** Creates an entity with a relationship `targetId` and an attribute `note`, as opened by two users. */
  const opened = async () => {
    count += 1
    const body = {
      entity: {
        name: `Base${count}`,
        typeAttributes: [{ name: 'note' }],
        entityAttributes: [aRelationship(target, 'targetId')],
      },
    }
    return get((await designer.call(createEntity, { body })).entity.id)
  }
  const named = (id: number, foreignKey = 'targetId') => ({
    params: { id, associatedEntityId: target.id },
    query: { associatedAttributeName: foreignKey },
  })
  const first = ({ entityAttributes: [item] }: EntityAnswer) => {
    if (!item) throw new Error('There is no relationship.')
    return relationshipBody(item)
  }

  it('relationship calls without a base are rejected with 428 and change nothing', async () => {
    const { entity, etag } = await opened()
    const params = { id: entity.id }
    const refused = [
      await designer.refusal(addRelationship, { params, body: aRelationship(target, 'otherId') }),
      await designer.refusal(updateRelationship, { ...named(entity.id), body: first(entity) }),
      await designer.refusal(deleteRelationship, named(entity.id)),
    ]
    expect(refused.map(({ status, answer }) => [status, answer.code])).toEqual(
      Array.from({ length: 3 }, () => [428, 'base_required']),
    )
    expect((await get(entity.id)).etag).toBe(etag)
  })

  it('merge changes of different fields of one relationship', async () => {
    const { entity, etag } = await opened()
    const call = { ...named(entity.id), ifMatch: etag }
    await designer.call(updateRelationship, { ...call, body: { ...first(entity), nullable: false } })
    const { answer } = await designer.callWithTag(updateRelationship, {
      ...call,
      body: { ...first(entity), description: 'Where to' },
    })
    expect(answer.entityAttribute).toMatchObject({ nullable: false, description: 'Where to' })
  })

  it('a relationship call keeps a new target set from an older state, together with concurrent changes', async () => {
    const elsewhere = (await designer.call(createEntity, { body: { entity: { name: 'Elsewhere' } } })).entity
    const { entity, etag } = await opened()
    await designer.call(updateEntity, {
      params: { id: entity.id },
      body: saveBody(entity, { description: 'Of others' }),
      ifMatch: etag,
    })
    const { id, name, path } = elsewhere
    const { answer } = await designer.callWithTag(updateRelationship, {
      ...named(entity.id),
      ifMatch: etag,
      body: { ...first(entity), associatedEntityId: id, associatedEntityName: name, associatedEntityPath: path },
    })
    expect(answer.entityAttribute).toMatchObject({
      associatedEntity: { id },
      associatedEntityTypeAttributeUid: elsewhere.typeAttributes[0]?.uid,
    })
    expect((await get(entity.id)).entity.description).toBe('Of others')
  })

  it('answer 409 with both values, user and time for conflicting fields; * overwrites', async () => {
    const { entity, etag } = await opened()
    const call = (onDelete: 'cascade' | 'setNull', ifMatch: string) => ({
      ...named(entity.id),
      ifMatch,
      body: { ...first(entity), onDelete },
    })
    await designer.call(updateRelationship, call('cascade', etag))
    const refused = await designer.refusal(updateRelationship, call('setNull', etag))
    expect(refused.status).toBe(409)
    expect(refused.answer.conflicts).toMatchObject([
      { path: 'entityAttributes.targetId', field: 'onDelete', base: 'restrict', mine: 'setNull', theirs: 'cascade' },
    ])
    expect(refused.answer.conflicts?.[0]?.who).not.toBe('')
    const { answer } = await designer.callWithTag(updateRelationship, call('setNull', '*'))
    expect(answer.entityAttribute.onDelete).toBe('setNull')
  })

  it('find a relationship by its name in the base after a concurrent rename', async () => {
    const { entity, etag } = await opened()
    const call = { ...named(entity.id), ifMatch: etag }
    const renamed = { ...first(entity), foreignKeyAttribute: { ...first(entity).foreignKeyAttribute } }
    renamed.foreignKeyAttribute.typeAttributeName = 'aimId'
    await designer.call(updateRelationship, { ...call, body: renamed })
    await designer.call(updateRelationship, { ...call, body: { ...first(entity), unique: true } })
    expect((await get(entity.id)).entity.entityAttributes).toMatchObject([
      { foreignKeyTypeAttribute: 'aimId', unique: true },
    ])
  })

  it('reject deleting a concurrently edited relationship, and accept an already deleted one', async () => {
    const { entity, etag } = await opened()
    const call = { ...named(entity.id), ifMatch: etag }
    const changed = await designer.callWithTag(updateRelationship, {
      ...call,
      body: { ...first(entity), description: 'Needed' },
    })
    expect((await designer.refusal(deleteRelationship, call)).status).toBe(409)
    await designer.call(deleteRelationship, { ...named(entity.id), ifMatch: changed.etag })
    await designer.call(deleteRelationship, { ...named(entity.id), ifMatch: changed.etag })
    expect((await get(entity.id)).entity.entityAttributes).toEqual([])
  })

  it('add a relationship from an older state, keep concurrent saves, and return the tag of both', async () => {
    const { entity, etag } = await opened()
    const params = { id: entity.id }
    await designer.call(updateEntity, { params, body: saveBody(entity, { description: 'Said' }), ifMatch: etag })
    const body = aRelationship(target, 'secondId')
    const added = await designer.callWithTag(addRelationship, { params, body, ifMatch: etag })
    const now = await get(entity.id)
    expect(now.etag).toBe(added.etag)
    expect(now.entity).toMatchObject({ description: 'Said' })
    expect(now.entity.entityAttributes.map(item => item.foreignKeyTypeAttribute)).toEqual(['targetId', 'secondId'])
  })

  it('a relationship call does not silently turn a concurrently edited attribute into a foreign key', async () => {
    const { entity, etag } = await opened()
    const params = { id: entity.id }
    const typeAttributes = entity.typeAttributes.map(({ nullable, isPrimaryKey: _key, isDefault: _own, ...item }) => ({
      ...item,
      isNullable: nullable,
      description: 'Edited',
    }))
    await designer.call(updateEntity, { params, body: saveBody(entity, { typeAttributes }), ifMatch: etag })
    const body = aRelationship(target, 'note')
    expect((await designer.refusal(addRelationship, { params, body, ifMatch: etag })).status).toBe(409)
  })

  it('answer 409 for a base that the entity never had', async () => {
    const [one, other] = [await opened(), await opened()]
    const body = aRelationship(target, 'newId')
    const input = { params: { id: one.entity.id }, body, ifMatch: other.etag }
    expect((await designer.refusal(addRelationship, input)).status).toBe(409)
  })
})
