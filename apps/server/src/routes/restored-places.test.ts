import { afterAll, beforeAll, expect, it } from 'vitest'
import { restoreEntityLog } from '@cadmus/model/contract/audit'
import { createEntity, deleteEntity, listEntityLogs } from '@cadmus/model/contract/entity'
import { getManifest } from '@cadmus/model/contract/manifest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest } from '../testing/entities.ts'

describeOnBothStores.whenProving('Deleted entities that return', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  it('are in their places in the manifest, in whatever order, unless these were given away', async () => {
    const manifest = await addManifest(server, 'Places')
    const create = async (name: string) => {
      const body = { entity: { name, typeAttributes: [] }, targetManifestId: manifest }
      return (await designer.call(createEntity, { body })).entity.id
    }
    const remove = async (id: number) => designer.call(deleteEntity, { params: { id }, query: {} })
    const undo = async (target: number) => {
      const { entityLogs } = await designer.call(listEntityLogs, { query: { target, actionType: 'DELETE' } })
      return designer.call(restoreEntityLog, { params: { id: entityLogs[0]?.ID ?? 0 }, body: { kind: 'undo' } })
    }
    const names = async () =>
      (await designer.call(getManifest, { params: { id: manifest } })).manifest.entityPaths.map(({ name }) => name)
    const [one, two, three, four] = [
      await create('One'),
      await create('Two'),
      await create('Three'),
      await create('Four'),
    ]
    for (const id of [one, three, two]) await remove(id)
    for (const id of [two, one, three]) await undo(id)
    expect(await names()).toEqual(['One', 'Two', 'Three', 'Four'])
    await remove(four)
    await create('Five')
    await undo(four)
    expect(await names()).toEqual(['One', 'Two', 'Three', 'Five', 'Four'])
  })
})
