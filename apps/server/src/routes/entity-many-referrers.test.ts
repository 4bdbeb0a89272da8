import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createEntity, deleteEntity, getEntity, listEntities } from '@cadmus/model/contract/entity'
import { automaticKey, newEntityContent } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { insertEntities } from '../store/entity.ts'
import { OrganisationGuard } from '../store/guard.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { danglingColumns } from '../testing/dangling-references.ts'
import { organisationId } from '../testing/entities.ts'

const many = 60

describeOnBothStores.whenProving('Deleting an entity with many referrers', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  async function referredTo(name: string) {
    const { entity: target } = await designer.call(createEntity, { body: { entity: { name } } })
    const [key] = target.typeAttributes
    const relationship = () =>
      newEntityAttribute({
        associatedEntity: { id: target.id, uid: target.uid, name, path: target.path },
        associatedEntityTypeAttribute: 'id',
        associatedEntityTypeAttributeUid: key?.uid,
        foreignKeyTypeAttribute: 'targetId',
        position: 1,
      })
    const ids = await server.context.store.ids.take(many)
    const entities = ids.map((id, index) => {
      const from = `${name}From${index}`
      const content = { name: from, typeAttributes: [automaticKey()], entityAttributes: [relationship()] }
      return { id, path: `user-defined/${from}`, content: newEntityContent(content) }
    })
    const organisation = await organisationId(server)
    await insertEntities(server.context.store.of(organisation), organisation, entities, { userName: 'Many' })
    return { target, ids }
  }

  async function queriesOf(work: () => Promise<unknown>): Promise<number> {
    const queries = vi.spyOn(OrganisationGuard.prototype, 'transformQuery')
    await work()
    const count = queries.mock.calls.length
    queries.mockRestore()
    return count
  }

  for (const onReferences of ['keep', 'remove'] as const) {
    it(`runs few queries per referrer and unlinks all (${onReferences})`, async () => {
      const { target, ids } = await referredTo(`Target_${onReferences}`)
      const remove = () => designer.call(deleteEntity, { params: { id: target.id }, query: { onReferences } })
      expect(await queriesOf(remove)).toBeLessThan(many + 150)
      for (const id of ids) {
        const { entity } = await designer.call(getEntity, { params: { id } })
        expect(entity.entityAttributes).toEqual([])
        const names = entity.typeAttributes.map(({ name }) => name)
        expect(names.includes('targetId')).toBe(onReferences === 'keep')
      }
      const { entity } = await designer.call(listEntities, { query: { filter: 'RESOLVED', search: target.name } })
      expect(entity).toHaveLength(many)
      expect(await danglingColumns(server, await organisationId(server))).toEqual([])
    })
  }
})
