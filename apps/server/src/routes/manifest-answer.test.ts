import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEntity, getEntity } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  addManifestVersion,
  createManifest,
  deleteManifest,
  getManifest,
  listManifests,
} from '@cadmus/model/contract/manifest'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('The answer with a manifest', store => {
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

  it(
    'the answer with a manifest has entityPaths with id and path of each entity, in order',
    holds('M3.2'),
    async () => {
      const { entity: loose } = await designer.call(createEntity, { body: { entity: { name: 'Aardvark' } } })
      const { id } = await create('Ordered', ['Zebra', 'Ape', 'Mole'])
      await designer.call(addEntitiesToManifest, { params: { id }, body: { entityIds: [loose.id] } })
      const { entityPaths } = await read(id)
      const paths = ['Zebra', 'Ape', 'Mole', 'Aardvark'].map(name => `user-defined/Ordered/${name}`)
      expect(entityPaths.map(({ path }) => path)).toEqual(paths)
      const stored = await Promise.all(entityPaths.map(item => designer.call(getEntity, { params: { id: item.id } })))
      expect(stored.map(({ entity }) => entity.path)).toEqual(paths)
    },
  )

  it(
    'the answer with a manifest has isDefault true for the core manifest and false for own ones',
    holds('M3.5'),
    async () => {
      const { manifests } = await designer.call(listManifests, { query: { filter: 'DEFAULT' } })
      const core = await read(manifests[0]?.id ?? 0)
      expect([core.isDefault, core.path.split('/')[0]]).toEqual([true, 'predefined'])
      expect((await read((await create('Made')).id)).isDefault).toBe(false)
    },
  )

  it(
    'the answer with a manifest contains all of many names, and the relationships in order',
    holds('M3.2', 'M3.8'),
    async () => {
      const referring = async (name: string, to: number, targetManifestId: number) => {
        const foreignKeyAttribute = { typeAttributeName: `${name}Id` }
        const attribute = { associatedEntityId: to, associatedEntityTypeAttribute: 'id', foreignKeyAttribute }
        const body = { entity: { name, entityAttributes: [attribute] }, targetManifestId }
        return (await designer.call(createEntity, { body })).entity
      }
      const elsewhere = await create('Elsewhere', ['Away', 'Further'])
      const [away = -1, further = -1] = elsewhere.entityPaths.map(item => item.id)
      const connection = await referring('Lent', away, elsewhere.id)
      const names = Array.from({ length: 510 }, (_none, index) => `Of${index}`)
      const { id, entityPaths: made } = await create('Wide', names)
      // An existing one in place, a new one, and one outside any manifest.
      await designer.call(createEntity, { body: { entity: { name: 'Beside' } } })
      const inPlace = { params: { id }, body: { entityIds: [connection.id], type: 'TEMPLATE' } }
      await server.bootstrap('ACME').call(addEntitiesToManifest, inPlace)
      const inner = await referring('Inner', made.at(-1)?.id ?? -1, id)
      const outer = await referring('Outer', further, id)

      const { entityPaths, relationships } = await read(id)
      const path = (name: string) => `user-defined/Wide/${name}`
      expect(entityPaths).toEqual([
        ...made.map((item, index) => ({
          id: item.id,
          name: `Of${index}`,
          path: path(`Of${index}`),
          type: 'EXCLUSIVE',
        })),
        { id: connection.id, name: 'Lent', path: 'user-defined/Elsewhere/Lent', type: 'TEMPLATE' },
        { id: inner.id, name: 'Inner', path: path('Inner'), type: 'EXCLUSIVE' },
        { id: outer.id, name: 'Outer', path: path('Outer'), type: 'EXCLUSIVE' },
      ])
      expect(relationships).toEqual([
        { fromEntity: 'Lent', fromEntityAttribute: 'LentId', toEntity: 'Away', toEntityAttribute: 'id' },
        { fromEntity: 'Inner', fromEntityAttribute: 'InnerId', toEntity: 'Of509', toEntityAttribute: 'id' },
        { fromEntity: 'Outer', fromEntityAttribute: 'OuterId', toEntity: 'Further', toEntityAttribute: 'id' },
      ])
    },
  )

  it('the answer with a manifest is 404 for another organisation', holds('M7.18', 'M5.2'), async () => {
    const { id } = await create('Theirs')
    expect((await read(id)).name).toBe('Theirs')
    const other = server.bootstrap('CADMUS')
    expect((await other.refusal(getManifest, { params: { id } })).status).toBe(404)
    expect((await other.refusal(deleteManifest, { params: { id } })).status).toBe(404)
    // Neither a rejected request nor a single transaction creates a job.
    const { shared } = server.context.store
    expect(await shared.selectFrom('job').select('id').where('kind', '=', 'delete').execute()).toEqual([])
    expect((await other.refusal(addManifestVersion, { params: { id }, query: { version: '3.0.0' } })).status).toBe(404)
  })
})
