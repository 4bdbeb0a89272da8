import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfiguration } from '@cadmus/model/configuration'
import {
  addRelationship,
  createEntity,
  getEntity,
  listEntities,
  listEntityFolders,
} from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  addManifestVersion,
  createManifest,
  getManifest,
  getManifestConfiguration,
  listManifestLogs,
  listManifests,
  listSubManifests,
  saveManifestConfiguration,
  updateManifest,
} from '@cadmus/model/contract/manifest'
import { exportManifest } from '@cadmus/model/contract/manifest-transfer'
import { errorAnswer } from '@cadmus/model/contract/shared'
import { newManifestContent } from '@cadmus/model/manifest'
import { newUid } from '@cadmus/model/uid'
import { holds } from '@cadmus/testing/holds'
import { insertManifests } from '../store/manifest.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { expectCorrectCounters } from '../testing/counters.ts'
import { aRelationship, organisationId } from '../testing/entities.ts'

describeOnBothStores.whenProving('Renaming a manifest', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let other: ConsoleClient
  let admin: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    other = await server.as('newcomer', 'ACME')
    admin = await server.as('admin', 'ACME')
  })
  afterAll(() => server.stop())

  let count = 0
  const aProperty = { name: 'a', value: 'b', secret: false }
  const fresh = (name = 'Named') => `${name}${++count}`

  async function made(input: { manifestName?: string; exclusiveEntities?: string[]; subManifests?: number[] } = {}) {
    return (await designer.call(createManifest, { body: { manifestName: fresh(), ...input } })).manifest
  }
  const read = (id: number) => designer.callWithTag(getManifest, { params: { id } })
  const rename = (id: number, manifestName: string, ifMatch = '*', who = designer) =>
    who.callWithTag(updateManifest, { params: { id }, body: { manifestName }, ifMatch })
  const refused = async (id: number, manifestName: string, ifMatch = '*') =>
    designer.refusal(updateManifest, { params: { id }, body: { manifestName }, ifMatch })

  it('updates the paths of the manifest, its entities and references, in lists, folders and counts', async () => {
    const [before, after] = [fresh('Before'), fresh('After')]
    const manifest = await made({ manifestName: before, exclusiveEntities: ['Order', 'Customer'] })
    const [order, customer] = manifest.entityPaths
    const { etag } = await read(manifest.id)
    const body = aRelationship(customer!, 'customerId')
    await designer.call(addRelationship, { params: { id: order!.id }, body, ifMatch: '*' })
    const { entity: related } = await designer.call(getEntity, { params: { id: order!.id } })

    const renamed = await rename(manifest.id, ` ${after} `, etag)
    expect(renamed.answer.manifest).toMatchObject({ name: after, path: `user-defined/${after}`, uid: manifest.uid })
    expect(renamed.answer.manifest.entityPaths.map(({ path }) => path)).toEqual([
      `user-defined/${after}/Order`,
      `user-defined/${after}/Customer`,
    ])
    expect(renamed.etag).toBe((await read(manifest.id)).etag)
    expect(renamed.etag).not.toBe(etag)

    const { entity } = await designer.call(getEntity, { params: { id: order!.id } })
    expect(entity).toMatchObject({
      path: `user-defined/${after}/Order`,
      targetManifest: { id: manifest.id, name: after },
      uid: related.uid,
    })
    expect(entity.entityAttributes[0]?.associatedEntity.path).toBe(`user-defined/${after}/Customer`)
    const listed = await designer.call(listEntities, { query: { folderFilter: `user-defined/${after}` } })
    expect(listed.totalElements).toBe(2)
    expect(listed.entity.map(({ location, folder }) => [location, folder])).toEqual([
      [`user-defined/${after}/Customer`, `user-defined/${after}`],
      [`user-defined/${after}/Order`, `user-defined/${after}`],
    ])
    expect(
      (await designer.call(listEntities, { query: { folderFilter: `user-defined/${before}` } })).totalElements,
    ).toBe(0)
    const folders = async (search: string) =>
      (await designer.call(listEntityFolders, { query: { search } })).folders.map(({ path }) => path)
    expect(await folders(after)).toEqual([`user-defined/${after}`])
    expect(await folders(before)).toEqual([])
    const result = async (search: string) => (await designer.call(listManifests, { query: { search } })).manifests
    expect((await result(after)).map(({ location }) => location)).toEqual([`user-defined/${after}`])
    expect(await result(before)).toEqual([])
    await expectCorrectCounters(server)
  })

  it('a renamed manifest does not move objects of others: template members, copies and sub-manifests; parents show the new name', async () => {
    const owner = await made({ exclusiveEntities: ['Lent'] })
    const sub = await made({ exclusiveEntities: ['Below'] })
    const manifest = await made({ subManifests: [sub.id] })
    const parent = await made({ subManifests: [manifest.id] })
    const connection = owner.entityPaths[0]!
    await admin.call(addEntitiesToManifest, {
      params: { id: manifest.id },
      body: { entityIds: [connection.id], type: 'TEMPLATE' },
    })
    const after = fresh('Borrower')
    const { answer } = await rename(manifest.id, after)
    expect(answer.manifest.entityPaths.map(({ path }) => path)).toEqual([connection.path])
    expect(answer.manifest.subManifestPaths.map(({ path }) => path)).toEqual([sub.path])
    const above = (await read(parent.id)).answer.manifest
    expect(above.subManifestPaths).toEqual([{ id: manifest.id, name: after, path: `user-defined/${after}` }])
    const { manifests } = await designer.call(listSubManifests, { params: { id: parent.id } })
    expect(manifests.map(({ name, location }) => [name, location])).toEqual([[after, `user-defined/${after}`]])
  })

  it('validates the name as in a creation and reports the field', async () => {
    const { id, name } = await made()
    const { name: taken } = await made()
    const problems = await Promise.all(
      ['', ' ', 'a', 'a'.repeat(51), 'a__b', '1a', 'a_', 'a b', 'a\u202Eb', 'a/b', 'a\0b', taken.toUpperCase()].map(
        async requested => {
          const { status, answer } = await refused(id, requested)
          return [status, answer.errors?.map(({ path }) => path), answer.message]
        },
      ),
    )
    for (const [status, places] of problems) expect([status, places]).toEqual([400, ['manifestName']])
    expect(problems.at(-1)?.[2]).toBe(`A manifest with the name "${taken.toUpperCase()}" already exists.`)
    expect((await read(id)).answer.manifest.name).toBe(name)
    const alias = { params: { id }, body: { manifest: { name: 'a__b' } }, ifMatch: '*' }
    expect((await designer.refusal(updateManifest, alias)).answer.errors).toMatchObject([{ path: 'manifest.name' }])
    const json = await designer.send(updateManifest, { params: { id }, body: { manifestName: 7 }, ifMatch: '*' })
    expect(json.status).toBe(400)
  })

  it('allows a change of case, and ignores an unchanged name', async () => {
    const manifest = await made({ manifestName: fresh('case'), exclusiveEntities: ['Kept'] })
    const upper = manifest.name.toUpperCase()
    const { answer, etag } = await rename(manifest.id, upper)
    expect(answer.manifest.entityPaths.map(({ path }) => path)).toEqual([`user-defined/${upper}/Kept`])
    const { totalElements } = await designer.call(listManifestLogs, {})
    expect((await rename(manifest.id, upper)).etag).toBe(etag)
    expect((await designer.call(listManifestLogs, {})).totalElements).toBe(totalElements)
    await expectCorrectCounters(server)
  })

  it('requires a base (428), merges other changes, and reports both names of a conflict (409)', async () => {
    const manifest = await made({ exclusiveEntities: ['One'] })
    const { etag } = await read(manifest.id)
    const none = await designer.send(updateManifest, {
      params: { id: manifest.id },
      body: { manifestName: fresh() },
    })
    expect(none.status).toBe(428)

    // Adding a member does not conflict with the name.
    await designer.call(addEntitiesToManifest, {
      params: { id: manifest.id },
      body: { entityIds: [(await made({ exclusiveEntities: ['Two'] })).entityPaths[0]!.id] },
    })
    const mine = fresh('Mine')
    const { answer, etag: second } = await rename(manifest.id, mine, etag)
    expect(answer.manifest.entityPaths.map(({ name }) => name)).toEqual(['One', 'Two'])

    const theirs = fresh('Theirs')
    await rename(manifest.id, theirs, second, other)
    // Independent of the number and authors of other changes.
    for (let index = 0; index < 55; index++) {
      const body = { configurationBuild: { sqlConfiguration: { applyJoin: index % 2 === 0 } } }
      await designer.call(saveManifestConfiguration, { params: { id: manifest.id }, body, ifMatch: '*' })
    }
    const conflict = await refused(manifest.id, fresh('Third'), second)
    expect(conflict.status).toBe(409)
    expect(conflict.answer.etag).toBe(`"${(await read(manifest.id)).etag}"`)
    expect(conflict.answer.conflicts).toEqual([
      {
        path: '',
        field: 'name',
        base: mine,
        mine: expect.stringContaining('Third'),
        theirs,
        who: 'Nia Newcomer',
        when: expect.any(String),
      },
    ])
    // An unchanged name keeps the other user's name; an equal name does not conflict.
    expect((await rename(manifest.id, mine, second)).answer.manifest.name).toBe(theirs)
    expect((await rename(manifest.id, theirs, second)).answer.manifest.name).toBe(theirs)
    expect((await refused(manifest.id, fresh(), 'a'.repeat(64))).status).toBe(409)
    const { etag: foreign } = await designer.callWithTag(getEntity, {
      params: { id: answer.manifest.entityPaths[0]!.id },
    })
    expect((await refused(manifest.id, fresh(), foreign)).status).toBe(409)
    expect((await rename(manifest.id, fresh('Forced'))).answer.manifest.name).toContain('Forced')
  })

  it('is rejected with members or sub-manifests that neither base nor current state has', async () => {
    const sub = await made()
    const { id } = await made({ exclusiveEntities: ['One', 'Two'], subManifests: [sub.id] })
    const base = await read(id)
    const [one, two] = base.answer.manifest.entityPaths
    const more = (await made({ exclusiveEntities: ['Three'] })).entityPaths[0]!
    await designer.call(addEntitiesToManifest, { params: { id }, body: { entityIds: [more.id] } })
    const current = (await read(id)).answer.manifest
    const save = (manifest: object, ifMatch = base.etag) =>
      designer.send(updateManifest, { params: { id }, body: { manifest }, ifMatch })
    const pathsOf = async (manifest: object) => {
      const response = await save(manifest)
      return [response.status, errorAnswer.parse(await response.json()).errors?.map(({ path }) => path)]
    }
    for (const { entityPaths, subManifestPaths } of [base.answer.manifest, current])
      expect((await save({ entityPaths, subManifestPaths })).status).toBe(200)
    // A name may be outdated.
    expect((await save({ entityPaths: [{ ...one, name: 'Former' }, two] })).status).toBe(200)
    for (const entityPaths of [[], [one], [two, one], [one, two, more], [{ ...one, type: 'TEMPLATE' }, two]])
      expect(await pathsOf({ entityPaths })).toEqual([400, ['manifest.entityPaths']])
    for (const subManifestPaths of [[], [...current.subManifestPaths, { id, name: '', path: '' }]])
      expect(await pathsOf({ subManifestPaths })).toEqual([400, ['manifest.subManifestPaths']])
    // The base of an overwriting save is unknown.
    expect((await save({ entityPaths: [] }, '*')).status).toBe(200)
    expect((await read(id)).answer.manifest).toEqual(current)
  })

  it('is rejected with a configuration that is neither current nor recent', async () => {
    const { id } = await made()
    const base = await read(id)
    const { configuration } = base.answer.manifest
    const applyJoin = !configuration.configurationBuild.sqlConfiguration.applyJoin
    const body = { configurationBuild: { sqlConfiguration: { applyJoin } } }
    await designer.call(saveManifestConfiguration, { params: { id }, body, ifMatch: '*' })
    const current = (await read(id)).answer.manifest
    const save = (sent: object, ifMatch = base.etag) =>
      designer.send(updateManifest, { params: { id }, body: { manifest: { configuration: sent } }, ifMatch })
    for (const sent of [configuration, current.configuration, body, {}]) expect((await save(sent)).status).toBe(200)
    const { packageProperties } = configuration
    const other = { ...configuration, packageProperties: { ...packageProperties, customProperties: [aProperty] } }
    const refusedSave = await save(other)
    const { errors } = errorAnswer.parse(await refusedSave.json())
    expect([refusedSave.status, errors?.map(({ path }) => path)]).toEqual([400, ['manifest.configuration']])
    expect((await save(other, '*')).status).toBe(200)
    expect((await read(id)).answer.manifest).toEqual(current)
  })

  it('renaming a predefined manifest is rejected, and renaming an unknown one gives 404', async () => {
    const shared = server.context.store
    const id = await shared.ids.one()
    const content = newManifestContent({ name: 'Core', uid: newUid() })
    const row = { id, path: 'predefined/Core', content, members: [], subManifests: [] }
    await insertManifests(shared.of(0), 0, [row], { userName: 'Test' })
    const locked = await refused(id, fresh())
    expect([locked.status, locked.answer.code]).toEqual([403, 'locked'])
    expect((await refused(987_654, fresh())).status).toBe(404)
  })

  it('updates the configuration, and saves one based on the old name', async () => {
    const { id } = await made({ exclusiveEntities: ['Sold'] })
    const get = () => designer.callWithTag(getManifestConfiguration, { params: { id } })
    const edited = async (
      change: (body: ReturnType<typeof readConfiguration>) => void,
      then: () => Promise<unknown>,
    ) => {
      const { answer, etag } = await get()
      const body = readConfiguration(answer.manifestProperties)
      change(body)
      await then()
      await designer.call(saveManifestConfiguration, { params: { id }, body, ifMatch: etag })
    }
    // Once with defaults, once with a saved configuration.
    for (const url of ['jdbc:one', 'jdbc:two']) {
      const name = fresh('Configured')
      await edited(
        body => (body.packageProperties.connectionPoolInfo.url = url),
        () => rename(id, name),
      )
      const { answer } = await get()
      expect(answer.manifestProperties).toMatchObject({
        manifestName: name,
        packageProperties: { connectionPoolInfo: { url } },
      })
    }
    const last = fresh('Last')
    await rename(id, last)
    expect((await read(id)).answer.manifest.configuration).toMatchObject({ manifestName: last })
  })

  it('a rename does not change old versions, and is exported and logged', holds('M3.88'), async () => {
    const manifest = await made({ manifestName: fresh('Old'), exclusiveEntities: ['Article'] })
    await designer.call(addManifestVersion, { params: { id: manifest.id }, query: { version: '2.0.0' } })
    const after = fresh('New')
    await rename(manifest.id, after)
    const query = { version: '1.0.0' }
    const old = (await designer.call(getManifest, { params: { id: manifest.id }, query })).manifest
    expect([old.name, old.entityPaths.map(({ path }) => path)]).toEqual([
      manifest.name,
      [`user-defined/${manifest.name}/Article`],
    ])
    const { fileName } = await designer.download(exportManifest, { params: { id: manifest.id }, body: {} })
    expect(fileName).toContain(`${after}-`)
    const { manifestLogs } = await designer.call(listManifestLogs, { query: { limit: 1 } })
    expect(manifestLogs[0]).toMatchObject({
      ACTION_TYPE: 'UPDATE',
      DESCRIPTION: `Renamed manifest ${manifest.name} to ${after}.`,
      ENTITY_NAME: after,
      PATH: `user-defined/${after}`,
      CONTENT_KIND: 'manifest',
    })
    expect(JSON.parse(manifestLogs[0]?.ORIGINAL_CONTENT ?? '')).toMatchObject({
      name: manifest.name,
      path: `user-defined/${manifest.name}`,
    })
    expect(JSON.parse(manifestLogs[0]?.UPDATED_CONTENT ?? '')).toMatchObject({
      name: after,
      path: `user-defined/${after}`,
    })
  })

  it('accepts an invalid imported name unchanged, or a valid new one', async () => {
    const shared = server.context.store
    const organisation = await organisationId(server)
    const id = await shared.ids.one()
    const name = 'Ünusual / näme'
    const content = newManifestContent({ name })
    const path = 'user-defined/Ünusual %2F näme'
    await insertManifests(
      shared.of(organisation),
      organisation,
      [{ id, path, content, members: [], subManifests: [] }],
      {
        userName: 'Test',
      },
    )
    const body = { entity: { name: 'Inside' }, targetManifestId: id }
    const { entity } = await designer.call(createEntity, { body })
    expect(entity.path).toBe(`${path}/Inside`)
    expect((await rename(id, name)).answer.manifest.name).toBe(name)
    const after = fresh('Usual')
    await rename(id, after)
    expect((await designer.call(getEntity, { params: { id: entity.id } })).entity.path).toBe(
      `user-defined/${after}/Inside`,
    )
  })
})
