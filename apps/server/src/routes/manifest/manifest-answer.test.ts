import { createEntity, getEntity } from '@cadmus/model/contract/entity'
import { createManifest, getManifest, listManifests } from '@cadmus/model/contract/manifest'
import { addEntitiesToManifest } from '@cadmus/model/contract/manifest-members'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../../testing/console.ts'

describeOnBothStores('The answer with a manifest', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const create = async (manifestName: string, exclusiveEntities: string[] = []) =>
    (await designer.call(createManifest, { body: { manifestName, exclusiveEntities } })).manifest
  const read = async (id: number) => (await designer.call(getManifest, { params: { id } })).manifest

  it('M3.2 entityPaths has id and path of each entity, in the order in which they were set', async () => {
    const { entity: loose } = await designer.call(createEntity, { body: { entity: { name: 'Aardvark' } } })
    const { id } = await create('Ordered', ['Zebra', 'Ape', 'Mole'])
    await designer.call(addEntitiesToManifest, { params: { id }, body: { entityIds: [loose.id] } })
    const { entityPaths } = await read(id)
    const paths = ['Zebra', 'Ape', 'Mole', 'Aardvark'].map(name => `user-defined/Ordered/${name}`)
    expect(entityPaths.map(({ path }) => path)).toEqual(paths)
    const stored = await Promise.all(entityPaths.map(item => designer.call(getEntity, { params: { id: item.id } })))
    expect(stored.map(({ entity }) => entity.path)).toEqual(paths)
  })

  it('M3.5 isDefault is true of the core manifest and false of one that was made', async () => {
    const { manifests } = await designer.call(listManifests, { query: { filter: 'DEFAULT' } })
    const core = await read(manifests[0]?.id ?? 0)
    expect([core.isDefault, core.path.split('/')[0]]).toEqual([true, 'predefined'])
    expect((await read((await create('Made')).id)).isDefault).toBe(false)
  })
})
