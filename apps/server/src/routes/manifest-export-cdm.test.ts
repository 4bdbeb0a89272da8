import { afterAll, beforeAll, expect, it } from 'vitest'
import { readArchive, writeArchive } from '@cadmus/formats/archive'
import { readConfiguration } from '@cadmus/model/configuration'
import { addEntityVersion, createEntity, getEntity } from '@cadmus/model/contract/entity'
import {
  addManifestVersion,
  addSubManifests,
  createManifest,
  deleteManifestVersion,
  getManifest,
  getManifestConfiguration,
  listManifests,
  listManifestVersions,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import {
  exportManifest,
  importManifest,
  notesHeader,
  previewExport,
  validateManifest,
} from '@cadmus/model/contract/manifest-transfer'
import type { ExportTarget } from '@cadmus/model/export-formats'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('Export of a manifest as a CDM folder', store => {
  let console: TestConsole
  let designer: ConsoleClient
  let other: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
    other = await console.as('admin', 'CADMUS')
  })
  afterAll(() => console.stop())

  let count = 0
  async function made(exclusiveEntities: string[] = ['Head']) {
    const body = { manifestName: `Folder${++count}`, exclusiveEntities }
    return (await designer.call(createManifest, { body })).manifest
  }

  async function requireExport(id: number, input: object = {}) {
    const body = { exportType: 'CDM_SCHEMA' as const, ...input }
    const { bytes, fileName, headers } = await designer.download(exportManifest, { params: { id }, body })
    const files = readArchive(bytes)
    const json = (path: string): unknown => JSON.parse(Buffer.from(files.get(path) ?? 'null').toString())
    const contentType = headers.get('content-type')
    return { bytes, fileName, contentType, paths: [...files.keys()], json, notes: headers.get(notesHeader) }
  }

  async function imported(client: ConsoleClient, bytes: Uint8Array) {
    return client.call(importManifest, { files: { manifestFile: { name: 'folder.zip', bytes } } })
  }

  async function library() {
    const sub = await made(['Loan'])
    const root = await made(['Author', 'Book'])
    await designer.call(addSubManifests, { params: { id: root.id }, body: { submanifests: [sub.id] } })
    return { root, sub }
  }

  it(
    'the zip is {manifest}-cdm.zip and holds the manifest as .cdm.json files, the root on top',
    holds('M1.9', 'M3.92', 'M7.36', 'M7.38', 'M7.41'),
    async () => {
      const { root, sub } = await library()
      const { fileName, contentType, paths, json, notes } = await requireExport(root.id)
      expect([fileName, contentType]).toEqual([`${root.name}-cdm.zip`, 'application/zip'])
      expect(paths).toEqual(
        ['Author.cdm.json', 'Book.cdm.json', 'cadmus.json', `${root.name}.manifest.cdm.json`]
          .concat([`${sub.name}/Loan.cdm.json`, `${sub.name}/${sub.name}.manifest.cdm.json`])
          .toSorted(),
      )
      expect(json(`${root.name}.manifest.cdm.json`)).toMatchObject({
        manifestName: root.name,
        documentVersion: '1.0.0',
      })
      expect(json('Author.cdm.json')).toMatchObject({ definitions: [{ entityName: 'Author' }] })
      expect(notes).toBe('0')
      expect((await requireExport(root.id)).bytes).toEqual((await requireExport(root.id)).bytes)
      const odd = await designer.send(exportManifest, { params: { id: root.id }, body: { exportType: 'ANYTHING' } })
      expect(odd.status).toBe(400)
    },
  )

  it('ignores database type and licence', holds('M7.42'), async () => {
    const { id } = await made()
    const { shared } = console.context.store
    const set = (licence_limits: string) =>
      shared.updateTable('organisation').set({ licence_limits }).where('code', '=', 'ACME').execute()
    const plain = await requireExport(id)
    await set('mc=50|db=')
    expect((await requireExport(id, { databaseType: 'PSQL' })).bytes).toEqual(plain.bytes)
    await set('mc=50|db=mysql~hsql~oracle~postgresql~mssql')
  })

  it('rejects an invalid manifest with all problems; foreign manifests and unknown versions are 404', async () => {
    const { id } = await made([])
    const { problems, message } = await designer.call(validateManifest, { params: { id } })
    const body = { exportType: 'CDM_SCHEMA' as const }
    const { status, answer } = await designer.refusal(exportManifest, { params: { id }, body })
    expect([status, answer.code, answer.message]).toEqual([400, 'invalid_manifest', message])
    expect(answer.problems).toEqual(problems)
    expect((await designer.refusal(previewExport, { params: { id }, body })).answer).toEqual(answer)
    const foreign = await made()
    expect((await other.refusal(exportManifest, { params: { id: foreign.id }, body })).status).toBe(404)
    const removed = { params: { id: foreign.id }, body: { ...body, version: '7.7.7' } }
    expect((await designer.refusal(exportManifest, removed)).status).toBe(404)
  })

  it('exports imported content again, even if no database supports it', async () => {
    const plot = (key: string, dataType: string) => ({
      imports: [{ corpusPath: 'cdm:/foundations.cdm.json' }],
      definitions: [
        {
          entityName: 'Plot',
          extendsEntity: 'CdmEntity',
          hasAttributes: [
            { name: key, purpose: 'identifiedBy', dataType },
            { name: 'size', dataType: 'double' },
            { name: 'SIZE', dataType: 'double' },
          ],
        },
      ],
    })
    const paths = ['north/Plot.cdm.json', 'south/Plot.cdm.json']
    const entities = paths.map(path => ({ type: 'LocalEntity', entityName: 'Plot', entityPath: `${path}/Plot` }))
    const folder = new Map(
      Object.entries({
        'Land.manifest.cdm.json': { manifestName: 'Land', entities },
        'north/Plot.cdm.json': plot('plotId', 'integer'),
        'south/Plot.cdm.json': plot('since', 'boolean'),
      }).map(([path, json]) => [path, JSON.stringify(json)]),
    )
    const { manifest } = await imported(designer, writeArchive(folder))
    const params = { id: manifest.id }
    const validated = async (exportType?: ExportTarget) => {
      const { problems } = await designer.call(validateManifest, { params, query: { exportType } })
      return problems.filter(({ severity }) => severity === 'error').map(({ code }) => code)
    }
    const ofTables = ['namesakes', 'repeatedAttribute', 'repeatedAttribute', 'keyType']
    expect([await validated(), await validated('DB_STRUCTURE'), await validated('PACKAGE')]).toEqual([
      ofTables,
      ofTables,
      ofTables,
    ])
    expect(await validated('ENTITY_GLOOP_MODEL')).toEqual(ofTables.slice(0, 3))
    expect(await validated('CDM_SCHEMA')).toEqual([])
    const body = { exportType: 'ENTITY_GLOOP_MODEL' as const }
    expect((await designer.refusal(exportManifest, { params, body })).answer.code).toBe('invalid_manifest')
    const { bytes, json } = await requireExport(manifest.id)
    expect(json('Plot/Plot.cdm.json')).toMatchObject({
      definitions: [{ hasAttributes: [{ name: 'since', dataType: 'boolean' }, { name: 'size' }, { name: 'SIZE' }] }],
    })
    const again = await imported(other, bytes)
    expect(again.counts.entities).toBe(2)
  })

  it('exports an old version unchanged, with its number', async () => {
    const { id, name } = await made()
    const before = await requireExport(id)
    await designer.call(addManifestVersion, { params: { id }, query: { version: '1.1.0' } })
    const entity = {
      name: 'Later',
      typeAttributes: [{ name: 'id', dataType: 'integer' as const, purpose: 'identifiedBy' as const }],
    }
    await designer.call(createEntity, { body: { entity, targetManifestId: id } })
    const now = await requireExport(id)
    expect(now.paths).toContain('Later.cdm.json')
    expect(now.json(`${name}.manifest.cdm.json`)).toMatchObject({ documentVersion: '1.1.0' })
    expect((await requireExport(id, { version: '1.0.0' })).bytes).toEqual(before.bytes)
  })

  it(
    'an exported CDM folder imported in another organisation restores uids, order, sub-manifests and versions; in the same one it becomes a copy',
    holds('M7.43'),
    async () => {
      const { root, sub } = await library()
      const { id } = root
      await designer.call(addManifestVersion, { params: { id }, query: { version: '2.5.0' } })
      // Earlier versions are not exported, which would be reported.
      await designer.call(deleteManifestVersion, { params: { id }, query: { version: '1.0.0' } })
      const { bytes } = await requireExport(id)
      const there = await imported(other, bytes)
      expect(there.report).toEqual([])
      const { manifests } = await other.call(listManifests, { query: { filter: 'PRIVATE' } })
      expect(manifests.map(({ id: listed, name }) => [listed, name])).toContainEqual([there.manifest.id, root.name])
      const back = (await other.call(getManifest, { params: { id: there.manifest.id } })).manifest
      expect(back).toMatchObject({ uid: root.uid, name: root.name, latestVersion: '2.5.0' })
      const [below] = back.subManifestPaths
      const { manifest: second } = await other.call(getManifest, { params: { id: below?.id ?? 0 } })
      expect([back.subManifestPaths.length, second.uid, second.name]).toEqual([1, sub.uid, sub.name])
      expect((await other.call(listManifestVersions, { params: { id: back.id } })).manifestVersions).toHaveLength(1)
      const find = async (client: ConsoleClient, entityId = 0) =>
        (await client.call(getEntity, { params: { id: entityId } })).entity
      for (const [index, { id: entityId }] of root.entityPaths.entries()) {
        const [one, two] = [await find(designer, entityId), await find(other, back.entityPaths[index]?.id)]
        expect([two.uid, two.name, two.typeAttributes]).toEqual([one.uid, one.name, one.typeAttributes])
      }
      const again = await other.download(exportManifest, {
        params: { id: back.id },
        body: { exportType: 'CDM_SCHEMA' },
      })
      expect(again.bytes).toEqual(bytes)
      const here = await imported(designer, bytes)
      expect(here.manifest.uid).not.toBe(root.uid)
      const copy = await find(designer, here.manifest.entityPaths[0]?.id)
      const original = await find(designer, root.entityPaths[0]?.id)
      expect(copy.uid).not.toBe(original.uid)
      expect(copy.typeAttributes.map(({ uid }) => uid)).not.toEqual(original.typeAttributes.map(({ uid }) => uid))
      expect(copy.typeAttributes.map(({ copiedFrom }) => copiedFrom)).toEqual(
        original.typeAttributes.map(({ uid }) => uid),
      )
      expect(here.report.map(({ severity }) => severity)).toContain('info')
    },
  )

  it('a CDM export is validated without database problems', async () => {
    const { id } = await made(['Wordy'])
    const texts = Array.from({ length: 3 }, (_, at) => ({
      name: `text${at}`,
      dataType: 'string' as const,
      maxLength: 1000,
    }))
    const typeAttributes = [{ name: 'order', dataType: 'integer' as const, purpose: 'identifiedBy' as const }, ...texts]
    await designer.call(createEntity, { body: { entity: { name: 'Table', typeAttributes }, targetManifestId: id } })
    const requested = async (query: { exportType?: 'CDM_SCHEMA' } = {}) =>
      (await designer.call(validateManifest, { params: { id }, query })).problems
    const before = await requested()
    expect(before.map(({ severity }) => severity)).toContain('note')
    expect(before.map(({ severity }) => severity)).toContain('warning')
    expect(await requested({ exportType: 'CDM_SCHEMA' })).toEqual([])
    expect(await requested()).toEqual(before)
    const odd = await designer.send(validateManifest, { params: { id }, query: { exportType: 'ANYTHING' } })
    expect(odd.status).toBe(400)
  })

  it('counts lost information in a header, lists it in the preview, and reports it again in an import', async () => {
    const target = (await made(['Aim'])).entityPaths[0]
    const { id, name } = await made([])
    const relationship = {
      associatedEntityId: target?.id ?? 0,
      associatedEntityTypeAttribute: 'id',
      foreignKeyAttribute: { typeAttributeName: 'aimId' },
    }
    await designer.call(createEntity, {
      body: { entity: { name: 'Pointer', entityAttributes: [relationship] }, targetManifestId: id },
    })
    const params = { id }
    const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params })
    const { configurationBuild, ...properties } = readConfiguration(answer.manifestProperties)
    const sqlConfiguration = { ...configurationBuild.sqlConfiguration, applyCoalesce: true }
    await designer.call(saveManifestConfiguration, {
      params,
      ifMatch: etag,
      body: { ...properties, configurationBuild: { ...configurationBuild, sqlConfiguration } },
    })
    const body = { exportType: 'CDM_SCHEMA' as const }
    const { script, notes } = await designer.call(previewExport, { params, body })
    expect(script.split('\n')).toEqual([
      `${name}.manifest.cdm.json: A CDM folder cannot hold its configuration.`,
      'Pointer.cdm.json/Pointer/aimId: The target "Aim" of its relationship is not in the folder, or its name is ambiguous there: it is a plain attribute.',
    ])
    const zip = await requireExport(id)
    expect([notes, zip.notes]).toEqual([2, '2'])
    const here = await imported(designer, zip.bytes)
    expect(here.report.map(({ message }) => message)).toContain('A CDM folder cannot hold its configuration.')
    const pointer = await designer.call(getEntity, { params: { id: here.manifest.entityPaths[0]?.id ?? 0 } })
    expect(pointer.entity.entityAttributes[0]?.associatedEntity).toMatchObject({ id: target?.id, name: 'Aim' })
    const there = await imported(other, zip.bytes)
    expect(there.report.map(({ message }) => message)).toContain('It refers to "Aim", which does not exist here.')
  })

  it('reports earlier versions of manifests and entities as lost, but not later ones', async () => {
    const manifest = await made(['Often', 'Once'])
    const [often] = manifest.entityPaths
    await designer.call(addEntityVersion, { params: { id: often?.id ?? 0 }, query: { version: '1.1.0' } })
    await designer.call(addManifestVersion, { params: { id: manifest.id }, query: { version: '2.0.0' } })
    const body = { exportType: 'CDM_SCHEMA' as const }
    const reported = async (version: string) => {
      const { script } = await designer.call(previewExport, { params: { id: manifest.id }, body: { ...body, version } })
      return script.split('\n')
    }
    const ofEntity = 'Often.cdm.json/Often: A CDM folder cannot hold its earlier versions.'
    expect(await reported('1.0.0')).toEqual([ofEntity])
    expect(await reported('2.0.0')).toEqual([
      `${manifest.name}.manifest.cdm.json: A CDM folder cannot hold its earlier versions.`,
      ofEntity,
    ])
  })
})
