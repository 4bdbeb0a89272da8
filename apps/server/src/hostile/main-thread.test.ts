import { canonicalJson } from '@cadmus/model/content'
import { createEntity, listEntityVersions } from '@cadmus/model/contract/entity'
import { createManifest, createManifestByWizard, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import { compareBuild } from '@cadmus/model/contract/package'
import { listEntityReferences } from '@cadmus/model/contract/references'
import { newEntityContent } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { newUid } from '@cadmus/model/uid'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { putContent } from '../store/content.ts'
import { entitiesByIds, insertEntities, type NewEntity } from '../store/entity.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'

describeOnBothStores.whenProving('Work of the main thread', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let organisation: number
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    organisation = await organisationId(server)
  })
  afterAll(() => server.stop())

  const columns = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      newTypeAttribute({ name: `column${index}`, position: index, description: 'what it is for' }),
    )

  async function insert(count: number, make: (index: number) => NewEntity['content']): Promise<number[]> {
    const ids = await server.context.store.ids.take(count)
    const made = ids.map((id, index) => {
      const content = make(index)
      return { id, path: `user-defined/${content.name}`, content }
    })
    await insertEntities(server.context.store.of(organisation), organisation, made, { userName: 'Test' })
    return ids
  }

  it('references to an entity are listed without reading contents', async () => {
    const { entity: target } = await designer.call(createEntity, { body: { entity: { name: 'Popular' } } })
    const to = { id: target.id, uid: target.uid, name: target.name, path: target.path }
    const other = (await designer.call(createEntity, { body: { entity: { name: 'Other' } } })).entity
    const elsewhere = { id: other.id, uid: other.uid, name: other.name, path: other.path }
    const key = { associatedEntityTypeAttribute: 'id' }
    const relationship = newEntityAttribute({
      ...key,
      position: 1,
      uid: newUid(),
      associatedEntity: to,
      foreignKeyTypeAttribute: 'popularId',
    })
    const further = newEntityAttribute({
      ...key,
      position: 0,
      uid: newUid(),
      associatedEntity: elsewhere,
      foreignKeyTypeAttribute: 'eitherId',
      alternativeTargets: [{ entity: to, attribute: 'id' }],
    })
    const referring = [
      { entityAttributes: [further, relationship] },
      { extendsEntity: to },
      { entityAttributes: [further] },
    ]
    const ids = await insert(3, index => newEntityContent({ name: `Refers${index}`, ...referring[index] }))
    const db = server.context.store.of(organisation)
    const rows = await db
      .selectFrom('entity')
      .select('content_hash')
      .where('organisation_id', '=', organisation)
      .where('id', 'in', ids)
      .execute()
    // Reading one of them fails.
    await db
      .updateTable('content')
      .set({ body: 'unreadable' })
      .where('organisation_id', '=', organisation)
      .where(
        'hash',
        'in',
        rows.map(row => row.content_hash),
      )
      .execute()
    const { references } = await designer.call(listEntityReferences, { params: { id: target.id } })
    expect(references.map(({ name, kind, item, itemUid }) => [name, kind, item, itemUid])).toEqual([
      ['Refers0', 'alternativeTarget', 'eitherId', further.uid],
      ['Refers0', 'relationship', 'popularId', relationship.uid],
      ['Refers1', 'extends', '', null],
      ['Refers2', 'alternativeTarget', 'eitherId', further.uid],
    ])
  })

  it('many contents are read in small batches that let other requests run', async () => {
    const ids = await insert(60, index => newEntityContent({ name: `Wide${index}`, typeAttributes: columns(600) }))
    const parse = JSON.parse.bind(JSON)
    const work = counted()
    const parsing = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
      if (text.length > 10_000) work.goOn(2)
      return parse(text, reviver)
    })
    const read = await entitiesByIds(server.context.store.of(organisation), organisation, ids)
    parsing.mockRestore()
    expect(read.size).toBe(60)
    expect(work.steps).toBe(60)
    expect(work.maxInARow).toBeLessThan(30)
  })

  it('secrets are encrypted in small batches that let other requests run, for a build, a save and a creation', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Secretive' } })
    const params = { id: manifest.id }
    const { secrets } = server.context
    const encrypt = secrets.encrypt.bind(secrets)
    let work = counted()
    const closing = vi.spyOn(secrets, 'encrypt').mockImplementation(text => {
      work.goOn(0.1)
      return encrypt(text)
    })
    const customProperties = Array.from({ length: 1000 }, (_, at) => ({ name: `p${at}`, value: 'x', secret: true }))
    const named = (manifestName: string) => ({ manifestName, packageProperties: { customProperties } })
    const doings = [
      () => designer.call(compareBuild, { params, body: { manifestProperties: [named('Secretive')] } }),
      () => designer.call(saveManifestConfiguration, { params, body: named('Secretive'), ifMatch: '*' }),
      () =>
        designer.call(createManifestByWizard, {
          body: { manifestName: 'Born', manifestProperties: named('Born') },
        }),
    ]
    for (const act of doings) {
      work = counted()
      await act()
      expect(work.steps).toBe(1000)
      expect(work.maxInARow).toBeLessThan(500)
    }
    closing.mockRestore()
  })

  it('the list of versions of a large entity is written by a worker thread', async () => {
    const { entity } = await designer.call(createEntity, { body: { entity: { name: 'Versioned' } } })
    const run = vi.spyOn(server.context.workers, 'run')
    const list = async () => (await designer.call(listEntityVersions, { params: { id: entity.id } })).entityVersions
    expect(await list()).toHaveLength(1)
    expect(run).not.toHaveBeenCalled()
    const db = server.context.store.of(organisation)
    const content = newEntityContent({ name: 'Versioned', typeAttributes: columns(1000) })
    for (let number = 1; number <= 12; number++) {
      const hash = await putContent(db, organisation, canonicalJson({ ...content, description: `It is ${number}.` }))
      const row = {
        organisation_id: organisation,
        entity_id: entity.id,
        content_hash: hash,
        created_at: '',
        created_by: '',
      }
      await db
        .insertInto('entity_version')
        .values({ ...row, version: `0.0.${number}` })
        .execute()
    }
    const versions = await list()
    expect(run.mock.calls.map(([name]) => name)).toEqual(['entityVersions'])
    expect(versions.map(({ DESCRIPTION }) => DESCRIPTION)).toEqual([
      '',
      ...Array.from({ length: 12 }, (_, index) => `It is ${12 - index}.`),
    ])
    run.mockRestore()
  })
})

/** Steps that take a fixed number of milliseconds each; counts the steps between two turns of the event loop. */
function counted() {
  let inARow = 0
  const work = {
    steps: 0,
    maxInARow: 0,
    goOn(milliseconds: number) {
      if (inARow === 0) setImmediate(() => (inARow = 0))
      inARow += 1
      work.steps += 1
      work.maxInARow = Math.max(work.maxInARow, inARow)
      for (const until = performance.now() + milliseconds; performance.now() < until;);
    },
  }
  return work
}
