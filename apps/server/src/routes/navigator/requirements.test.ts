import { getEntity } from '@cadmus/model/contract/entity'
import { getManifest, listManifests } from '@cadmus/model/contract/manifest'
import {
  generateNavigator,
  getLibraryProgress,
  getNavigator,
  getNavigatorVersion,
} from '@cadmus/model/contract/navigator'
import { holds } from '@cadmus/testing/holds'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ConsoleClient } from '../../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../../testing/console.ts'
import { scriptOf } from '../../testing/personal-tokens.ts'
import { writeLibrary } from '../../testing/written-library.ts'

/** Users and groups of the instance are there whatever the folder holds. */
const directory = ['Group', 'User']

describeOnBothStores.whenProving('The navigator', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let folder: string
  beforeAll(async () => {
    folder = temporaryFolder('library')
    writeLibrary(folder, ['Gauge', 'Valve'])
    server = await startConsole({ store, env: { CADMUS_LIBRARY_DIR: folder } })
    designer = await server.as('designer')
  })
  afterAll(async () => {
    await server.stop()
    removeFolder(folder)
  })

  it('answers the core schema: the nodes of the predefined tree, each below its own', holds('M7.99'), async () => {
    const answer = await designer.browser.fetch('/1.0/cdm/navigator', { headers: { 'X-Organisation-Code': 'ACME' } })
    expect(answer.status).toBe(200)
    const { coreSchema } = getNavigator.answer.parse(await answer.json())
    const entities = coreSchema.nodes.filter(node => node.kind === 'entity')
    expect(entities.map(node => [node.name, node.path])).toEqual([
      ['Gauge', 'predefined/Gauge'],
      ['Valve', 'predefined/Valve'],
      ...directory.map(name => [name, `predefined/identity/${name}`]),
    ])
    for (const { id, name, path } of entities) {
      const { entity } = await designer.call(getEntity, { params: { id } })
      expect(entity).toMatchObject({ name, path, isDefault: true })
    }
    const manifest = coreSchema.nodes.find(node => node.kind === 'manifest')
    const read = await designer.call(getManifest, { params: { id: manifest?.id ?? 0 } })
    expect(read.manifest).toMatchObject({ name: 'plant', path: manifest?.path, isDefault: true })
    const places = new Set(['', ...coreSchema.nodes.map(node => node.path)])
    expect(coreSchema.nodes.filter(node => !places.has(node.parent))).toEqual([])
  })

  it(
    'the two workspaces are predefined and user-defined, and what is in them lies below their names',
    holds('E3.65'),
    async () => {
      const { workspaces } = await designer.call(getNavigator, {})
      expect(workspaces.map(workspace => workspace.name)).toEqual(['predefined', 'user-defined'])
      for (const { name, entityPaths, manifestPaths } of workspaces) {
        const paths = [...entityPaths, ...manifestPaths]
        expect(paths.filter(path => !path.startsWith(`${name}/`))).toEqual([])
      }
      const core = workspaces[0]?.entityPaths
      expect(core).toEqual(expect.arrayContaining(['predefined/Gauge', 'predefined/Valve']))
    },
  )

  it(
    'the build version stays until the structure is generated anew, by an administrator',
    holds('M7.100', 'M7.101'),
    async () => {
      const version = async () => (await designer.call(getNavigatorVersion, {})).buildVersion
      const before = await version()
      expect(before).toMatch(/./)
      writeLibrary(folder, ['Gauge', 'Pump', 'Valve'])
      expect(await version()).toBe(before)
      expect((await designer.call(getNavigator, {})).coreSchema.buildVersion).toBe(before)
      expect((await designer.refusal(generateNavigator, {})).status).toBe(403)
      expect(await version()).toBe(before)
      const admin = await server.as('admin')
      const { coreSchema } = await admin.call(generateNavigator, {})
      expect(coreSchema.buildVersion).not.toBe(before)
      expect(coreSchema.nodes.map(node => node.name)).toContain('Pump')
      expect(await version()).toBe(coreSchema.buildVersion)
      expect((await designer.call(getNavigator, {})).coreSchema).toEqual(coreSchema)
      const again = await admin.call(generateNavigator, {})
      expect(again.coreSchema).toEqual(coreSchema)
      const { manifests } = await designer.call(listManifests, { query: { filter: 'DEFAULT' } })
      expect(manifests.map(item => [item.name, item.entityCount])).toEqual([['plant', 3]])
    },
  )

  it("an administrator's access token generates it where it was ticked and is not read-only, and no other does", async () => {
    const admin = await server.as('admin')
    const ticked = (await scriptOf(admin, { isAdmin: true })).script
    const plain = (await scriptOf(admin)).script
    const reading = (await scriptOf(admin, { isAdmin: true, access: 'read' })).script
    expect((await ticked.call(generateNavigator, {})).coreSchema.nodes.length).toBeGreaterThan(3)
    expect(await plain.refusal(generateNavigator, {})).toMatchObject({ status: 403, answer: { code: 'forbidden' } })
    expect(await reading.refusal(generateNavigator, {})).toMatchObject({ status: 403, answer: { code: 'read_only' } })
    expect(await reading.call(getLibraryProgress, {})).toMatchObject({ state: 'done' })
  })

  it('tells how far its generation is, and how it ended', async () => {
    const admin = await server.as('admin')
    const { workers } = server.context
    const readLibrary = workers.readLibrary.bind(workers)
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
    const spy = vi.spyOn(workers, 'readLibrary').mockImplementation(async (folderRead, onProgress) => {
      const read = await readLibrary(folderRead, onProgress)
      onProgress({ kind: 'progress', state: 'resolving', done: 2, total: 5 })
      await mayGoOn
      return read
    })
    const progress = () => admin.call(getLibraryProgress, {})
    writeLibrary(folder, ['Gauge', 'Pump', 'Tank'])
    const generated = admin.call(generateNavigator, {})
    await expect.poll(progress, { timeout: 20_000 }).toEqual({ state: 'resolving', done: 2, total: 5, message: '' })
    expect((await designer.refusal(getLibraryProgress, {})).status).toBe(403)
    goOn()
    await generated
    spy.mockRestore()
    // Three and the two that are always there.
    expect(await progress()).toEqual({ state: 'done', done: 5, total: 5, message: '' })
  })

  it('stays as it was where the folder of the library cannot be read, and says so to who asked', async () => {
    const admin = await server.as('admin')
    const before = await designer.call(getNavigator, {})
    writeFileSync(join(folder, 'plant.manifest.cdm.json'), '{"manifestName": ')
    const refusal = await admin.refusal(generateNavigator, {})
    const message = 'The library was not read. plant.manifest.cdm.json is not JSON.'
    expect([refusal.status, refusal.answer.message]).toEqual([409, message])
    expect(await admin.call(getLibraryProgress, {})).toEqual({ state: 'failed', done: 0, total: 0, message })
    expect(await designer.call(getNavigator, {})).toEqual(before)
    rmSync(folder, { recursive: true })
    const missing = await admin.refusal(generateNavigator, {})
    expect([missing.status, missing.answer.message]).toEqual([
      409,
      'The library was not read. Its folder cannot be read.',
    ])
    expect(await designer.call(getNavigator, {})).toEqual(before)
    mkdirSync(folder)
    writeLibrary(folder, ['Gauge', 'Pump'])
    await admin.call(generateNavigator, {})
    expect((await designer.call(getNavigator, {})).coreSchema.nodes.map(node => node.name)).not.toContain('Tank')
  })
})
