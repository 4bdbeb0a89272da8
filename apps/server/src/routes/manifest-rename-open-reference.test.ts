import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEntity, exportEntity, getEntity, importEntity, updateEntity } from '@cadmus/model/contract/entity'
import { createManifest, updateManifest } from '@cadmus/model/contract/manifest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship, saveBody } from '../testing/entities.ts'

describeOnBothStores.whenProving('An open reference by path', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let elsewhere: ConsoleClient
  let count = 0
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    elsewhere = server.bootstrap('GLOBEX')
  })
  afterAll(() => server.stop())

  const fresh = (name: string) => `${name}${++count}`
  const made = async (manifestName: string, exclusiveEntities: string[] = []) =>
    (await designer.call(createManifest, { body: { manifestName, exclusiveEntities } })).manifest
  const rename = (id: number, manifestName: string) =>
    designer.call(updateManifest, { params: { id }, body: { manifestName }, ifMatch: '*' })
  const target = async (id: number) =>
    (await designer.call(getEntity, { params: { id } })).entity.entityAttributes[0]?.associatedEntity

  /** Imports an entity whose target is known by path only. */
  async function waitingFor(path: string) {
    const { entity: there } = await elsewhere.call(createEntity, { body: { entity: { name: fresh('There') } } })
    const relation = aRelationship(there, 'thereId')
    const body = { entity: { name: fresh('Waiting'), entityAttributes: [relation] } }
    const { entity: source } = await elsewhere.call(createEntity, { body })
    const { entityDoc } = await elsewhere.call(exportEntity, { params: { id: source.id } })
    const text = JSON.stringify(entityDoc).replaceAll(`"uid":"${there.uid}",`, '').replaceAll(there.path, path)
    expect(text).not.toContain(there.uid)
    const entityFile = { name: 'x.json', bytes: new TextEncoder().encode(text) }
    const { entity } = await designer.call(importEntity, { query: { targetManifest: -1 }, files: { entityFile } })
    expect(await target(entity.id)).toMatchObject({ id: -1, path })
    return entity
  }

  it('moves below the new path of a renamed manifest and is resolved there', async () => {
    const [before, after] = [fresh('Before'), fresh('After')]
    const manifest = await made(before)
    const beside = await made(`${before}_beside`)
    const waiting = await waitingFor(`user-defined/${before}/Order`)
    const other = await waitingFor(`user-defined/${before}_beside/Order`)
    await rename(manifest.id, after)
    expect(await target(waiting.id)).toMatchObject({ id: -1, path: `user-defined/${after}/Order` })
    expect(await target(other.id)).toMatchObject({ id: -1, path: `user-defined/${beside.name}/Order` })
    const body = { entity: { name: 'Order' }, targetManifestId: manifest.id }
    const { entity: order } = await designer.call(createEntity, { body })
    expect(await target(waiting.id)).toMatchObject({ id: order.id, uid: order.uid })
    expect((await target(other.id))?.id).toBe(-1)
  })

  it("an open reference by path is resolved by a renamed manifest's entities", async () => {
    const pendingTarget = fresh('Awaited')
    const manifest = await made(fresh('Brought'), ['Order'])
    const waiting = await waitingFor(`user-defined/${pendingTarget}/Order`)
    await rename(manifest.id, pendingTarget)
    expect(await target(waiting.id)).toMatchObject({ id: manifest.entityPaths[0]?.id })
  })

  it('an open reference by path is resolved by an entity renamed to its target', async () => {
    const manifest = await made(fresh('Renaming'), ['Bill'])
    const waiting = await waitingFor(`${manifest.path}/Invoice`)
    const id = manifest.entityPaths[0]?.id ?? 0
    const { entity } = await designer.call(getEntity, { params: { id } })
    await designer.call(updateEntity, { params: { id }, body: saveBody(entity, { name: 'Invoice' }), ifMatch: '*' })
    expect(await target(waiting.id)).toMatchObject({ id, name: 'Invoice' })
  })
})
