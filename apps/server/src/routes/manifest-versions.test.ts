import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEntity } from '@cadmus/model/contract/entity'
import {
  addManifestVersion,
  createManifestByWizard,
  getManifestVersionContent,
  listManifestVersions,
} from '@cadmus/model/contract/manifest'
import { areManifestVersionsLight } from '../store/answer-size.ts'
import { manifestById } from '../store/manifest.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'

describeOnBothStores.whenProving('Versions of a large manifest', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  it('versions of a large manifest are listed by a worker, highest first, each as frozen', async () => {
    const names = Array.from({ length: 90 }, (_none, index) => `Listed${index}`)
    const body = { manifestName: 'Thick', exclusiveEntities: names }
    const { manifest } = await designer.call(createManifestByWizard, { body })
    const params = { id: manifest.id }
    const frozen: string[] = []
    for (let at = 0; at < 12; at++) {
      const { manifest: before } = await designer.call(getManifestVersionContent, {
        params,
        query: { version: `1.${at}.0` },
      })
      frozen.push(before.CONTENT)
      await designer.call(addManifestVersion, { params, query: { version: `1.${at + 1}.0` } })
      const entity = { name: `Later${at}` }
      await designer.call(createEntity, { body: { entity, targetManifestId: manifest.id } })
    }
    const { manifestVersions } = await designer.call(listManifestVersions, { params })
    const numbers = Array.from({ length: 13 }, (_none, at) => `1.${at}.0`)
    expect(manifestVersions.map(({ VERSION }) => VERSION)).toEqual(numbers.toReversed())
    expect(manifestVersions.slice(1).map(({ CONTENT }) => CONTENT)).toEqual(frozen.toReversed())
    const sizes = manifestVersions.map(({ CONTENT }) => JSON.parse(CONTENT).entities.length)
    expect(sizes).toEqual(Array.from({ length: 13 }, (_none, at) => 102 - at))
    expect(await isLight()).toBe(false)
    const one = await designer.call(getManifestVersionContent, { params, query: { version: '1.3.0' } })
    expect(one.manifest.CONTENT).toBe(frozen[3])
    expect((await designer.send(getManifestVersionContent, { params, query: { version: '9.0.0' } })).status).toBe(404)

    async function isLight() {
      const organisation = await organisationId(console)
      const db = console.context.store.of(organisation)
      const row = await manifestById(db, organisation, manifest.id)
      return row && areManifestVersionsLight(db, row)
    }
  })
})
