import { afterAll, beforeAll, expect, it } from 'vitest'
import { compareMigration } from '@cadmus/model/contract/comparison'
import { createEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { getInstanceDatabase, listInstancePackages } from '@cadmus/model/contract/instance'
import { createManifest } from '@cadmus/model/contract/manifest'
import { buildManifest, uploadPackage } from '@cadmus/model/contract/package'
import { checkRebuild, previewRebuild, rebuildPackage } from '@cadmus/model/contract/publish'
import { instanceSecret, type InstanceServer, startInstance } from '@cadmus/testing/instance'
import type { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'
import { saveBody } from '../testing/entities.ts'
import { built, packageOf } from '../testing/packages.ts'

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

it(
  'an obstacle in the data is reported before anything is built, and a rebuild without one starts with its data',
  { timeout: 120_000 },
  async () => {
    const to = { instanceUrl: instance.url }
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Tax' } })
    const typeAttributes = [{ name: 'fullName', dataType: 'string' as const, isNullable: true }]
    const { entity } = await designer.call(createEntity, {
      body: { entity: { name: 'Payer', typeAttributes }, targetManifestId: manifest.id },
    })
    const { database } = await designer.call(getInstanceDatabase, { body: { ...to, name: 'embedded' } })
    const { url, username, name: databaseName } = database
    const manifestProperties = [
      {
        manifestName: 'Tax',
        packageProperties: { connectionPoolInfo: { type: 'HSQL' as const, url, username, databaseName } },
        configurationBuild: { apiConfiguration: { type: ['REST' as const] } },
      },
    ]
    const first = await designer.call(buildManifest, {
      params: { id: manifest.id },
      body: { customPackageName: 'tax', manifestProperties },
    })
    await built(designer, first.packageId)
    const params = { name: 'tax' }
    const publish = (version: string) =>
      designer.call(uploadPackage, { params, body: { ...to, version, state: 'STARTED' } })
    await publish('1.0.0')
    const payers = `${instance.url}/api/tax/1.0/payer`
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(payers, { method: 'POST', headers, body: '{"fullName":"Ada"}' })).status).toBe(200)
    expect(await designer.call(previewRebuild, { params, body: to })).toMatchObject({ warnings: [], obstacles: [] })

    const add = async (isNullable: boolean) => {
      const { entity: current } = await designer.call(getEntity, { params: { id: entity.id } })
      const body = saveBody(current)
      const others = (body.entity.typeAttributes ?? []).filter(({ name }) => name !== 'taxNumber')
      const taxNumber = { name: 'taxNumber', dataType: 'string' as const, isNullable }
      const changed = { ...body, entity: { ...body.entity, typeAttributes: [...others, taxNumber] } }
      await designer.call(updateEntity, { params: { id: entity.id }, body: changed, ifMatch: '*' })
    }
    await add(false)
    const before = await packageOf(designer, first.packageId)
    const { warnings, obstacles } = await designer.call(previewRebuild, { params, body: to })
    const { id, name, path } = entity
    const text = "'taxNumber' of 'Payer' is required and has no default, and there is 1 record already."
    expect(warnings).toEqual([])
    expect(obstacles).toEqual([
      { text, entity: { id, name, path }, attribute: { kind: 'typeAttribute', uid: expect.any(String) } },
    ])
    const compared = {
      before: { kind: 'build' as const, package: first.packageId, version: '1.0.0' },
      after: { kind: 'now' as const },
    }
    const { steps } = await designer.call(compareMigration, {
      params: { id: manifest.id },
      body: { ...compared, database: 'mysql' },
    })
    const { counts } = await designer.call(previewRebuild, { params, body: { ...to, counts: true } })
    expect(counts?.version).toBe('1.0.0')
    const countOf = new Map(counts?.counts.map(({ key, count }) => [key, count]))
    const counted = steps.flatMap(({ key, attribute }) => (key === null ? [] : [[attribute, countOf.get(key)]]))
    expect(counted).toEqual([['taxNumber', 1]])
    expect((await designer.call(checkRebuild, { params, body: {} })).suggestion?.version).toBe('2.0.0')
    expect(await packageOf(designer, first.packageId)).toEqual(before)
    expect((await designer.call(listInstancePackages, { body: to })).items).toMatchObject([
      { name: 'tax', versions: ['1.0.0'], status: 'STARTED' },
    ])

    await add(true)
    expect(await designer.call(previewRebuild, { params, body: to })).toMatchObject({ warnings: [], obstacles: [] })
    const { version } = await designer.call(rebuildPackage, { params, body: {} })
    await built(designer, first.packageId)
    await publish(version)
    expect(await (await fetch(payers)).json()).toMatchObject({ total: 1, payer: [{ fullName: 'Ada' }] })
  },
)
