import {
  getInstanceDatabase,
  listInstanceDatabases,
  listInstancePackages,
  listWorkspacePackages,
  testInstance,
} from '@cadmus/model/contract/instance'
import { createManifest, createManifestByWizard } from '@cadmus/model/contract/manifest'
import { buildManifest, uploadPackage } from '@cadmus/model/contract/package'
import { holds } from '@cadmus/testing/holds'
import { type InstanceServer, instanceSecret, startInstance } from '@cadmus/testing/instance'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../../testing/client.ts'
import { startConsole, type TestConsole } from '../../testing/console.ts'
import { built } from '../../testing/packages.ts'

let instance: InstanceServer
let server: TestConsole
let designer: ConsoleClient
beforeAll(async () => {
  instance = await startInstance()
  server = await startConsole({
    env: { CADMUS_INSTANCES: `local=${instance.url}`, CADMUS_INSTANCE_SECRET_LOCAL: instanceSecret },
  })
  designer = await server.as('designer')
}, 120_000)
afterAll(async () => {
  await server.stop()
  await instance.stop()
})

const customers = (init?: RequestInit) => fetch(`${instance.url}/api/publish_me/1.0/customer`, init)

it(
  'an instance of ours runs what is built, and goes on with its data when that is built again',
  { ...holds('M7.69', 'M7.75'), timeout: 120_000 },
  async () => {
    const body = { instanceUrl: instance.url }
    // Its own is none that one builds.
    expect(await designer.call(testInstance, { body })).toMatchObject({ result: 'OK' })
    expect((await designer.call(listInstancePackages, { body })).items).toEqual([])
    const { items } = await designer.call(listInstanceDatabases, { body })
    expect(items).toContainEqual({ id: 'embedded', name: 'embedded' })
    const { database } = await designer.call(getInstanceDatabase, { body: { ...body, name: 'embedded' } })
    expect(database.type).toBe('HSQL')
    const { manifest } = await designer.call(createManifest, {
      body: { manifestName: 'Publish', exclusiveEntities: ['Customer'] },
    })
    const connectionPoolInfo = {
      type: 'HSQL' as const,
      url: database.url,
      username: database.username,
      databaseName: 'embedded',
    }
    const manifestProperties = [
      {
        manifestName: 'Publish',
        packageProperties: { connectionPoolInfo },
        configurationBuild: { apiConfiguration: { type: ['REST' as const] } },
      },
    ]
    const publish = async () => {
      const asked = await designer.call(buildManifest, {
        params: { id: manifest.id },
        body: { customPackageName: 'publish-me', manifestProperties },
      })
      await built(designer, asked.packageId)
      const params = { name: asked.packageName }
      const given = { params, body: { ...body, version: asked.version, state: 'STARTED' as const } }
      expect(await designer.call(uploadPackage, given)).toMatchObject({ result: 'Ok', status: 'STARTED' })
      return asked
    }
    await publish()
    expect(await designer.call(testInstance, { body })).toMatchObject({ result: 'OK' })
    for (const call of [listInstancePackages, listWorkspacePackages])
      expect((await designer.call(call, { body })).items).toMatchObject([
        { name: 'publish-me', versions: ['1.0.0'], status: 'STARTED' },
      ])
    const added = await customers({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({}),
    })
    expect([added.status, await added.json()]).toMatchObject([200, { result: 'OK' }])
    expect((await publish()).version).toBe('1.0.1')
    expect(await (await customers()).json()).toMatchObject({ result: 'OK', total: 1 })
  },
)

it('what the wizard generates ends in a package, which the answer names', holds('M7.14'), async () => {
  const generated = (
    manifestName: string,
    generateType: 'Manifest' | 'Database' | 'DatabaseApi',
    entities = ['Thing'],
  ) => designer.call(createManifestByWizard, { body: { manifestName, generateType, exclusiveEntities: entities } })
  const api = await generated('WithApi', 'DatabaseApi')
  expect(api).toMatchObject({ package: { packageName: 'WithApi', version: '1.0.0' }, buildMessage: '' })
  const { builds } = await built(designer, api.package?.packageId ?? 0)
  expect(builds[0]?.publishAs).toBe('PACKAGE')
  const schema = await generated('WithSchema', 'Database')
  expect((await built(designer, schema.package?.packageId ?? 0)).builds[0]?.publishAs).toBe('DB_STRUCTURE')
  expect(await generated('Plain', 'Manifest')).toMatchObject({ package: null, buildMessage: '' })
  const empty = await generated('Empty', 'Database', [])
  expect(empty).toMatchObject({ manifest: { name: 'Empty' }, package: null })
  expect(empty.buildMessage).not.toBe('')
})
