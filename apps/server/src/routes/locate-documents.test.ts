import { createEntity, deleteEntity } from '@cadmus/model/contract/entity'
import { deleteManifest } from '@cadmus/model/contract/manifest'
import { locateDocuments } from '@cadmus/model/contract/navigator'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, addPredefined } from '../testing/entities.ts'

describeOnBothStores('Locating documents', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const located = async (entities: readonly number[], manifests: readonly number[]) => {
    const query = { entities: entities.join(), manifests: manifests.join() }
    const { documents } = await designer.call(locateDocuments, { query })
    return documents.map(({ kind, name, path }) => `${kind} ${name} ${path}`).toSorted()
  }

  it('answers names and paths of own and predefined documents, without deleted ones', async () => {
    const { entity: own } = await designer.call(createEntity, { body: { entity: { name: 'LocatedEntity' } } })
    const { entity: deleted } = await designer.call(createEntity, { body: { entity: { name: 'LocatedDeleted' } } })
    const predefined = await addPredefined(server, { name: 'LocatedCore' })
    const [manifest, gone] = [await addManifest(server, 'LocatedShop'), await addManifest(server, 'LocatedGone')]
    await designer.call(deleteEntity, { params: { id: deleted.id } })
    await designer.call(deleteManifest, { params: { id: gone } })
    expect(await located([own.id, deleted.id, predefined, 999_999], [manifest, gone, 999_999])).toEqual([
      'entity LocatedCore predefined/tests/LocatedCore',
      'entity LocatedEntity user-defined/LocatedEntity',
      'manifest LocatedShop user-defined/LocatedShop',
    ])
    // The ids of entities and manifests are separate.
    expect(await located([], [])).toEqual([])
    expect(await located([own.id], [])).toHaveLength(1)
  })

  it('rejects lists that are too long or contain no ids', async () => {
    const ids = Array.from({ length: 201 }, (_, index) => index + 1)
    for (const entities of [ids.join(), '1,', '-1', 'x', '1;2', '9'.repeat(16)])
      expect([entities, (await designer.refusal(locateDocuments, { query: { entities } })).status]).toEqual([
        entities,
        400,
      ])
    await designer.call(locateDocuments, { query: { entities: ids.slice(1).join() } })
  })
})
