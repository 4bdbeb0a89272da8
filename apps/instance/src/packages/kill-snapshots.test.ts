import { writeArchive } from '@cadmus/formats/archive'
import { type PackageModel, packageModelForm } from '@cadmus/model/api/package-model'
import { readStored } from '@cadmus/model/stored/stored-form'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenEngine, openEngine } from '../engine/engine.ts'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageFiles } from '../testing/package-zip.ts'

// Simulates kills: copies the data directory at a given moment and starts another instance on the copy.
describe('kill during a table change', () => {
  let folder: string
  let instance: TestInstance
  let copied: string[]
  beforeEach(async () => {
    folder = temporaryFolder('instance-between')
    copied = []
    const copying: OpenEngine = (model, database, options) =>
      openEngine(model, database, {
        ...options,
        beforeCommit() {
          snapshot('before')
          options.beforeCommit()
          snapshot('between')
        },
      })
    const snapshot = (moment: string) => {
      cpSync(instance.dataDir, join(folder, moment), { recursive: true })
      copied.push(moment)
    }
    instance = await startTestInstance({ openEngine: copying })
    await instance.upload(zipOf('1.0.0'))
    await instance.settled('shop')
    await create(instance, { name: 'Ann', email: 'ann@example.com' })
  })
  afterEach(async () => {
    await instance.stop()
    removeFolder(folder)
  })

  async function startCopy(moment: string): Promise<TestInstance> {
    return startTestInstance({ env: { CADMUS_INSTANCE_DATA_DIR: join(folder, moment) } })
  }

  it('a kill leaves the previous version, or the next one with its permitted losses', async () => {
    await instance.upload(zipOf('2.0.0', withoutEmail), 'stateOnCreate=STARTED&replaceExisting=true&allowDataLoss=true')
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', runningVersion: '2.0.0' })
    expect(copied).toEqual(['before', 'between'])
    const old = await startCopy('before')
    expect(await old.settled('shop')).toMatchObject({ status: 'STARTED', version: '1.0.0', runningVersion: '1.0.0' })
    expect(await customers(old)).toMatchObject([{ name: 'Ann', email: 'ann@example.com' }])
    await old.stop()
    const next = await startCopy('between')
    expect(await next.settled('shop')).toMatchObject({ status: 'STARTED', version: '2.0.0', runningVersion: '2.0.0' })
    expect(Object.keys((await customers(next))[0] ?? {})).not.toContain('email')
    // The permission applied to that start only.
    await next.upload(zipOf('3.0.0', withoutName))
    expect(await next.settled('shop')).toMatchObject({ status: 'START_FAILED', runningVersion: '2.0.0' })
    await next.restart()
    expect(await next.settled('shop')).toMatchObject({ status: 'STARTED', runningVersion: '2.0.0' })
    await next.stop()
  })

  it('a kill during the start of a loaded version leaves one of the two versions', async () => {
    await instance.upload(zipOf('2.0.0', withoutEmail), 'stateOnCreate=LOADED&replaceExisting=true')
    await instance.settled('shop')
    await instance.restart()
    expect(await instance.settled('shop')).toMatchObject({
      status: 'LOADED',
      version: '2.0.0',
      runningVersion: '1.0.0',
    })
    expect(await customers(instance)).toMatchObject([{ email: 'ann@example.com' }])
    await instance.manage('PUT', '/esbapi/packages/shop/start')
    expect(await instance.settled('shop')).toMatchObject({ status: 'START_FAILED', runningVersion: '1.0.0' })
    await instance.restart()
    const refused = { status: 'START_FAILED', version: '2.0.0', runningVersion: '1.0.0' }
    expect(await instance.settled('shop')).toMatchObject(refused)
    await instance.manage('PUT', '/esbapi/packages/shop/start?allowDataLoss=true')
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', runningVersion: '2.0.0' })
    for (const moment of ['before', 'between']) {
      const copy = await startCopy(moment)
      expect(await copy.settled('shop')).toMatchObject({ status: 'STARTED', runningVersion: '2.0.0' })
      expect(await customers(copy)).toMatchObject([{ name: 'Ann' }])
      await copy.stop()
    }
    await instance.restart()
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', runningVersion: '2.0.0' })
  })

  it('a kill leaves a stopped or replaced version stopped', async () => {
    await instance.upload(zipOf('2.0.0', withoutEmail), 'stateOnCreate=LOADED&replaceExisting=true')
    await instance.upload(zipOf('3.0.0', withoutEmail), 'stateOnCreate=LOADED&replaceExisting=true')
    await instance.settled('shop')
    await instance.restart()
    expect(await instance.settled('shop')).toMatchObject({
      status: 'LOADED',
      version: '3.0.0',
      runningVersion: '1.0.0',
    })
    await instance.manage('PUT', '/esbapi/packages/shop/stop')
    expect(await instance.settled('shop')).toMatchObject({ status: 'LOADED', runningVersion: null })
    await instance.restart()
    expect(await instance.settled('shop')).toMatchObject({ status: 'LOADED', version: '3.0.0', runningVersion: null })
  })
})

async function create(instance: TestInstance, record: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(record)
  expect((await instance.fetch('/api/shop/1.0/customer', { method: 'POST', headers, body })).status).toBe(200)
}

async function customers(instance: TestInstance): Promise<Record<string, unknown>[]> {
  const { customer }: { customer: Record<string, unknown>[] } = JSON.parse(
    await (await instance.fetch('/api/shop/1.0/customer')).text(),
  )
  return customer
}

function zipOf(version: string, change: (model: PackageModel) => PackageModel = model => model): Uint8Array {
  const files = packageFiles({ version })
  const path = 'shop/resources/cadmus/model.json'
  const model = readStored(packageModelForm, JSON.parse(files.get(path) ?? ''))
  return writeArchive(new Map([...files, [path, JSON.stringify(change(model))] as const]))
}

const withoutEmail = (model: PackageModel) => without(model, 'email')
const withoutName = (model: PackageModel) => without(without(model, 'email'), 'name')

/** Removes an attribute of Customer. */
function without(model: PackageModel, name: string): PackageModel {
  const entities = model.entities.map(entity =>
    entity.name === 'Customer'
      ? { ...entity, typeAttributes: entity.typeAttributes.filter(attribute => attribute.name !== name) }
      : entity,
  )
  return { ...model, entities }
}
