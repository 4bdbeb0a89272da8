import { afterAll, beforeAll, expect, it } from 'vitest'
import { entityForm } from '@cadmus/model/content'
import { addRelationship, createEntity, deleteEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import type { EntityContent } from '@cadmus/model/entity'
import { entityRequestOf } from '@cadmus/model/apply-request'
import { readStored } from '@cadmus/model/stored/stored-form'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship } from '../testing/entities.ts'

describeOnBothStores.whenProving('A save based on a state before its target was deleted', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  let count = 0
  const create = async (entity: object = {}) => {
    const body = { entity: { name: `Stale${++count}`, ...entity } }
    return (await designer.call(createEntity, { body })).entity
  }
  const get = async (id: number) => {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
    return { entity: answer.entity, etag, content: readStored(entityForm, JSON.parse(answer.entity.content)) }
  }
  /** Sends a draft as the page does. */
  const saved = async (id: number, etag: string, content: EntityContent) => {
    const body = entityRequestOf(content, '1.0.0')
    return (await designer.call(updateEntity, { params: { id }, body, ifMatch: etag })).entity
  }

  it.each(['keep', 'remove'] as const)(
    'a save based on a state before its target was deleted has no conflict if it did not change the relationship: %s',
    async onReferences => {
      const [target, other, parent] = [await create(), await create(), await create()]
      const { id } = await create({ extendsEntity: { id: parent.id } })
      const relate = async (to: typeof target, name: string) =>
        designer.call(addRelationship, {
          params: { id },
          body: { ...aRelationship(to, name), ...(to === other ? { alternativeTargets: [alternative] } : {}) },
          ifMatch: '*',
        })
      const alternative = { entity: { id: target.id, name: target.name, path: target.path }, attribute: 'id' }
      await relate(target, 'targetId')
      await relate(other, 'otherId')
      const { etag, content } = await get(id)
      for (const removed of [target, parent])
        await designer.call(deleteEntity, { params: { id: removed.id }, query: { onReferences } })
      const entity = await saved(id, etag, { ...content, description: 'mine' })
      expect(entity.description).toBe('mine')
      expect(entity.extendsEntity).toBeNull()
      expect(entity.entityAttributes.map(item => item.foreignKeyTypeAttribute)).toEqual(['otherId'])
      expect(entity.entityAttributes[0]?.alternativeTargets).toEqual([])
      expect(entity.typeAttributes.some(({ name }) => name === 'targetId')).toBe(onReferences === 'keep')
    },
  )

  it('a save based on a state before its target was deleted has a conflict if it changed the relationship', async () => {
    const target = await create()
    const { id } = await create()
    await designer.call(addRelationship, { params: { id }, body: aRelationship(target, 'targetId'), ifMatch: '*' })
    const { etag, content } = await get(id)
    await designer.call(deleteEntity, { params: { id: target.id }, query: { onReferences: 'keep' } })
    const entityAttributes = content.entityAttributes.map(item => ({ ...item, description: 'mine' }))
    const body = entityRequestOf({ ...content, entityAttributes }, '1.0.0')
    const refusal = await designer.refusal(updateEntity, { params: { id }, body, ifMatch: etag })
    expect(refusal).toMatchObject({ status: 409, answer: { conflicts: [{ field: 'deleted' }] } })
    expect(refusal.answer.etag).toBe(`"${(await get(id)).etag}"`)
  })
})
