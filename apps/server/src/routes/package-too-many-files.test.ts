import { expect, it } from 'vitest'
import { createManifest, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import { buildManifest } from '@cadmus/model/contract/package'
import { startConsole } from '../testing/console.ts'
import { ended } from '../testing/packages.ts'

it('a package with more files than an instance accepts is rejected with a message', async () => {
  const server = await startConsole({ store: 'sqlite' })
  const designer = await server.as('designer')
  const exclusiveEntities = Array.from({ length: 2900 }, (_, at) => `Entity${at}`)
  const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Crowd', exclusiveEntities } })
  const params = { id: manifest.id }
  const body = { configurationBuild: { apiConfiguration: { type: ['REST'] } } }
  await designer.call(saveManifestConfiguration, { params, body, ifMatch: '*' })
  const { packageId } = await designer.call(buildManifest, { params, body: {} })
  expect(await ended(designer, packageId)).toEqual({
    status: 'FAILED',
    reason: 'The package is too large for any instance.',
  })
  await server.stop()
})
