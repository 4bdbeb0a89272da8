import { afterAll, beforeAll, expect, it } from 'vitest'
import { getEntity, updateEntity } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  createManifest,
  createManifestByWizard,
  getManifest,
  updateManifest,
} from '@cadmus/model/contract/manifest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { expectCorrectCounters } from '../testing/counters.ts'
import { saveBody } from '../testing/entities.ts'

describeOnBothStores('Renaming a manifest during other changes', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let other: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    other = await server.as('newcomer', 'ACME')
  })
  afterAll(() => server.stop())

  let count = 0
  const fresh = (name = 'Named') => `${name}${++count}`

  async function made(input: { exclusiveEntities?: string[] } = {}) {
    return (await designer.call(createManifest, { body: { manifestName: fresh(), ...input } })).manifest
  }
  const read = async (id: number) => (await designer.call(getManifest, { params: { id } })).manifest
  const rename = (id: number, manifestName: string) =>
    other.call(updateManifest, { params: { id }, body: { manifestName }, ifMatch: '*' })

  it('lets one of two renames win, and a concurrent save keeps the new path', async () => {
    for (let round = 0; round < 4; round++) {
      const requested = fresh('Wanted')
      const rivals = [await made(), await made(), await made({ exclusiveEntities: ['Busy'] })]
      const busy = rivals[2]!.entityPaths[0]!
      const { entity } = await designer.call(getEntity, { params: { id: busy.id } })
      const saves = [1, 2, 3, 4].map(number =>
        other.call(updateEntity, {
          params: { id: busy.id },
          body: saveBody(entity, { description: `Said ${number}`, ...(number > 2 ? { name: fresh('Busy') } : {}) }),
          ifMatch: '*',
        }),
      )
      const third = fresh('Third')
      const answers = await Promise.all([
        designer.send(updateManifest, {
          params: { id: rivals[0]!.id },
          body: { manifestName: requested },
          ifMatch: '*',
        }),
        other.send(updateManifest, { params: { id: rivals[1]!.id }, body: { manifestName: requested }, ifMatch: '*' }),
        designer.send(updateManifest, { params: { id: rivals[2]!.id }, body: { manifestName: third }, ifMatch: '*' }),
      ])
      await Promise.all(saves)
      expect(
        answers
          .slice(0, 2)
          .map(({ status }) => status)
          .toSorted(),
      ).toEqual([200, 400])
      const manifest = await read(rivals[2]!.id)
      const { entity: now } = await designer.call(getEntity, { params: { id: busy.id } })
      expect(manifest.name).toBe(third)
      expect(now.path).toBe(`user-defined/${third}/${now.name}`)
    }
    await expectCorrectCounters(server)
  })

  it('moves many entities, including copies being added', async () => {
    const names = Array.from({ length: 700 }, (_none, index) => `Part${index}`)
    const body = { manifestName: fresh('Large'), exclusiveEntities: names }
    const { manifest } = await designer.call(createManifestByWizard, { body })
    const target = await made()
    const after = fresh('Larger')
    const moving = fresh('Moving')
    const copying = designer.send(addEntitiesToManifest, {
      params: { id: target.id },
      body: { entityIds: manifest.entityPaths.map(({ id }) => id) },
    })
    await Promise.all([rename(manifest.id, after), rename(target.id, moving)])
    const { status } = await copying
    expect([200, 409]).toContain(status)
    for (const [id, name] of [
      [manifest.id, after],
      [target.id, moving],
    ] as const) {
      const paths = (await read(id)).entityPaths
      expect(paths.filter(({ path }) => !path.startsWith(`user-defined/${name}/`))).toEqual([])
    }
    await expectCorrectCounters(server)
  })
})
