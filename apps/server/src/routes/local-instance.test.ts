import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { readArchive } from '@cadmus/formats/archive'
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
import { instanceSecret, type InstanceServer, startInstance } from '@cadmus/testing/instance'
import type { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'
import { built } from '../testing/packages.ts'

let instance: InstanceServer
let server: TestConsole
let designer: ConsoleClient
beforeAll(async () => {
  instance = await startInstance()
  server = await startConsole({
    env: { CADMUS_INSTANCES: `local=${instance.url}`, CADMUS_INSTANCE_SECRET_LOCAL: instanceSecret },
  })
  designer = await server.as('designer')
})
afterAll(async () => {
  await server.stop()
  await instance.stop()
})

const customers = (init?: RequestInit) => fetch(`${instance.url}/api/publish_me/1.0/customer`, init)

it('a local instance runs a built package and keeps its data after a rebuild', holds('M7.69', 'M7.75'), async () => {
  const body = { instanceUrl: instance.url }
  // The instance's own package does not count.
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
    const requested = await designer.call(buildManifest, {
      params: { id: manifest.id },
      body: { customPackageName: 'publish-me', manifestProperties },
    })
    await built(designer, requested.packageId)
    const params = { name: requested.packageName }
    const input = { params, body: { ...body, version: requested.version, state: 'STARTED' as const } }
    expect(await designer.call(uploadPackage, input)).toMatchObject({ result: 'Ok', status: 'STARTED' })
    return requested
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
})

it(
  'packages and instances are available at the documented addresses',
  holds('M7.61', 'M7.62', 'M7.63', 'M7.64', 'M7.65', 'M7.66', 'M7.68', 'M7.69', 'M7.71', 'M7.73', 'M7.75'),
  async () => {
    const shop = await packageOf('Addressed')
    await builtOf(shop.manifestId)
    const other = await packageOf('Elsewhere')
    const core = manifestsOf.parse(await requested('GET', '/1.0/cdm/manifest?filter=DEFAULT')).manifests
    const { packageId: coreId } = await builtOf(core.find(({ entityCount }) => entityCount > 0)?.id ?? 0)
    const listed = async (query: string) =>
      packagesOf.parse(await requested('GET', `/1.0/cdm/packages${query}`)).packages.map(({ id, isDefault }) => ({
        id,
        isDefault,
      }))
    expect(await listed('')).toContainEqual({ id: shop.packageId, isDefault: false })
    expect(await listed('?filter=public')).toEqual([{ id: coreId, isDefault: true }])
    const own = await listed('?filter=private')
    expect(own).toContainEqual({ id: other.packageId, isDefault: false })
    expect(own.every(({ isDefault }) => isDefault === false)).toBe(true)
    expect(await listed(`?manifestId=${shop.manifestId}`)).toEqual([{ id: shop.packageId, isDefault: false }])
    expect(await listed('?manifestName=Elsewhere')).toEqual([{ id: other.packageId, isDefault: false }])
    const states = await requested('GET', `/1.0/cdm/packages/status?packageIds=${shop.packageId},${other.packageId}`)
    expect(states).toMatchObject({
      packages: [
        { id: shop.packageId, status: 'SUCCESS' },
        { id: other.packageId, status: 'SUCCESS' },
      ],
    })
    const zip = await sent('GET', `/1.0/cdm/packages/${shop.packageId}/download?version=1.0.0`)
    expect([zip.status, zip.headers.get('content-type')]).toEqual([200, 'application/zip'])
    const files = readArchive(new Uint8Array(await zip.arrayBuffer()))
    expect(Buffer.from(files.get('Addressed/conf/package.xml') ?? []).toString()).toContain('version="1.0.0"')
    const { items: instances } = itemsOf.parse(await requested('GET', '/1.0/cdm/workspaces?search=LOC'))
    expect(instances).toMatchObject([{ name: 'local', path: expect.any(String) }])
    expect(await requested('GET', '/1.0/cdm/workspaces')).toMatchObject({ items: instances })
    expect(await requested('GET', '/1.0/cdm/workspaces?search=nowhere')).toMatchObject({ items: [] })
    const to = { instanceUrl: instance.url, version: '1.0.0', state: 'LOADED' }
    const uploaded = await requested('POST', '/1.0/cdm/packages/Addressed/upload', to)
    expect(uploaded).toMatchObject({ result: 'Ok', message: expect.stringMatching(/./) })
    const there: unknown = await (await instance.manage('GET', '/esbapi/packages/Addressed')).json()
    expect(there).toMatchObject({ name: 'Addressed', status: 'LOADED' })
    const { items } = itemsOf.parse(
      await requested('POST', '/1.0/cdm/workspace/packages', { instanceUrl: instance.url }),
    )
    expect(items.map(({ name }) => name)).toContain('Addressed')
    await requested('DELETE', `/1.0/cdm/packages/${shop.packageId}?version=1.0.0`)
    expect(await requested('GET', `/1.0/cdm/packages?manifestId=${shop.manifestId}`)).toMatchObject({
      packages: [{ id: shop.packageId, versions: ['1.0.1'] }],
    })
  },
)

const manifestsOf = z.object({ manifests: z.array(z.object({ id: z.number(), entityCount: z.number() })) })
const packagesOf = z.object({ packages: z.array(z.object({ id: z.number(), isDefault: z.boolean() })) })
const itemsOf = z.object({ items: z.array(z.object({ name: z.string() }).loose()) })

function sent(method: string, address: string, body?: object): Promise<Response> {
  const headers = { 'x-organisation-code': 'ACME', 'content-type': 'application/json' }
  return designer.browser.fetch(address, {
    method,
    headers: body === undefined ? { 'x-organisation-code': 'ACME' } : headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

async function requested(method: string, address: string, body?: object): Promise<unknown> {
  const answer = await sent(method, address, body)
  expect([address, answer.status]).toEqual([address, 200])
  return answer.json()
}

async function builtOf(id: number): Promise<{ packageId: number }> {
  const build = await designer.call(buildManifest, { params: { id }, body: {} })
  await built(designer, build.packageId)
  return build
}

async function packageOf(manifestName: string): Promise<{ manifestId: number; packageId: number }> {
  const body = { manifestName, exclusiveEntities: ['Customer'] }
  const { id: manifestId } = (await designer.call(createManifest, { body })).manifest
  return { manifestId, packageId: (await builtOf(manifestId)).packageId }
}

it('the wizard can build a package, which its answer names', holds('M7.14'), async () => {
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
