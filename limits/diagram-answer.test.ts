import { getManifestDiagram } from '@cadmus/model/contract/diagram'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { automaticKey, newEntityContent } from '@cadmus/model/entity'
import { newManifestContent } from '@cadmus/model/manifest'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { processorTime } from '@cadmus/testing/processor-time'
import { expect, it } from 'vitest'
import { diagramAnswer } from '../apps/server/src/jobs/diagram.ts'
import { insertEntities } from '../apps/server/src/store/entity.ts'
import { insertManifests } from '../apps/server/src/store/manifest.ts'
import { startConsole } from '../apps/server/src/testing/console.ts'
import { organisationId } from '../apps/server/src/testing/entities.ts'

const count = 10_000

it('a diagram of 10,000 entities and 30,000 links is read without contents', async () => {
  const server = await startConsole()
  const { store } = server.context
  const organisation = await organisationId(server)
  const [manifestId = -1, ...ids] = await store.ids.take(count + 1)
  const entityAt = (index: number) => ({ id: ids[index % count] ?? -1, name: `E${index % count}`, path: '' })
  const typeAttributes = [automaticKey(), newTypeAttribute({ name: 'note', position: 4 })]
  const entities = ids.map((id, index) => {
    const entityAttributes = [1, 7, 300].map((distance, position) =>
      newEntityAttribute({
        associatedEntity: entityAt(index + distance),
        associatedEntityTypeAttribute: 'id',
        foreignKeyTypeAttribute: `key${position}`,
        position: position + 1,
      }),
    )
    const content = newEntityContent({ name: `E${index}`, typeAttributes, entityAttributes })
    return { id, path: `user-defined/Large/E${index}`, manifestId, content }
  })
  const members = ids.map(entityId => ({ entityId, organisationId: organisation, type: 'EXCLUSIVE' as const }))
  const manifest = { id: manifestId, path: 'user-defined/Large', content: newManifestContent({ name: 'Large' }) }
  await store
    .of(organisation)
    .transaction()
    .execute(async tx => {
      await insertEntities(tx, organisation, entities, { userName: 'Test' })
      await insertManifests(tx, organisation, [{ ...manifest, members, subManifests: [] }], { userName: 'Test' })
    })
  const place = { organisationId: organisation, manifestId, version: null }
  // The first reading also compiles code.
  await diagramAnswer(store, place)
  const start = processorTime()
  const { entities: cards, links } = await diagramAnswer(store, place)
  // Ten times what a calm machine needs: contents alone would take longer.
  expect(processorTime() - start).toBeLessThan(1500)
  expect([cards.ids.length, new Set(cards.rows), links.uids.length, new Set(links.row)]).toEqual([
    count,
    new Set([5]),
    3 * count,
    new Set([1, 2, 3]),
  ])
  const designer = await server.as('designer')
  const answer = await designer.call(getManifestDiagram, { params: { id: manifestId } })
  expect(answer.links.from).toEqual(links.from)
  await server.stop()
})
