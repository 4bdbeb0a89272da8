import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArchive } from '@cadmus/formats/archive'
import { getEntity } from '@cadmus/model/contract/entity'
import { getManifest, listManifestEntities, listManifestLogs, listManifests } from '@cadmus/model/contract/manifest'
import { exportManifest, importManifest, validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { postgresAvailability } from '@cadmus/testing/availability'
import { holds } from '@cadmus/testing/holds'
import { startPostgres } from '@cadmus/testing/postgres'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { zipFolder } from '../testing/zip-folder.ts'

const repository = resolve(import.meta.dirname, '../../../..')
const zips = resolve(repository, '../shared/cdm/zips')
const clinic = zipFolder(resolve(repository, 'journeys/data/clinic'))
const havePostgres = postgresAvailability().present

describeOnBothStores.whenProving('Import of a CDM folder', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  async function imported(name: string, bytes: Uint8Array, fields: Record<string, string> = {}) {
    return designer.call(importManifest, { files: { manifestFile: { name, bytes } }, fields })
  }

  async function errorsOf(id: number) {
    const { problems } = await designer.call(validateManifest, { params: { id } })
    return problems.filter(problem => problem.severity === 'error')
  }

  /** Runs the exported script on an empty database and returns its tables. */
  async function tablesOf(id: number): Promise<string[]> {
    const { bytes } = await designer.download(exportManifest, { params: { id }, body: { databaseType: 'postgresql' } })
    const files = readArchive(bytes)
    const script = Buffer.from(files.get([...files.keys()][0] ?? '') ?? '').toString()
    const database = await (await startPostgres()).createDatabase()
    await database.execute(script)
    const rows = await database.query("select table_name from information_schema.tables where table_schema = 'public'")
    await database.drop()
    return rows.map(row => String(row['table_name']))
  }

  describe('the clinic sample', () => {
    it('creates manifests, entities, relationships and a report', holds('M7.43', 'M7.45'), async () => {
      const answer = await imported('clinic.zip', clinic)
      expect(answer.message).toBe("Manifest 'clinic' successfully imported")
      expect(answer.counts).toEqual({ files: 13, entities: 10, manifests: 3, relationships: 13 })
      expect(answer.report.map(line => [line.severity, line.path.slice(-60)])).toEqual([
        ['info', 'minutesUntilTheAnimalLiftedItsHeadByItselfWithoutSomeHelpYet'],
      ])
      expect(answer.manifest).toMatchObject({ name: 'clinic', path: 'user-defined/clinic' })
      expect(answer.manifest.subManifestPaths.map(item => item.name)).toEqual(['care', 'billing'])
      const { manifests } = await designer.call(listManifests, { query: { filter: 'PRIVATE' } })
      expect(manifests.map(item => item.name)).toEqual(expect.arrayContaining(['clinic', 'care', 'billing']))
    })

    it('Decisions §3 keeps entities with equal names, inheritance, self-references and polymorphic references', async () => {
      const { manifests } = await designer.call(listManifests, { query: { search: 'care' } })
      const { entity } = await designer.call(listManifestEntities, { params: { id: manifests[0]?.id ?? 0 } })
      expect(entity.map(item => item.name)).toContain('ObservationOfAnimalsThatSleepLongerThanTheAnaesthetistWanted')
      const read = async (name: string) => {
        const id = entity.find(item => item.name === name)?.id ?? 0
        return (await designer.call(getEntity, { params: { id } })).entity
      }
      expect((await read('Owner')).extendsEntity?.path).toBe('user-defined/clinic/Owner')
      const treatment = await read('Treatment')
      const follows = treatment.entityAttributes.find(item => item.foreignKeyTypeAttribute === 'followsId')
      expect(follows?.associatedEntity.id).toBe(treatment.id)
      const [about] = (await read('Remark')).entityAttributes
      expect(about?.associatedEntity.path).toBe('user-defined/clinic/Animal')
      expect(about?.alternativeTargets.map(item => item.entity.path)).toEqual(['user-defined/care/Owner'])
    })

    it.skipIf(!havePostgres)(
      'its schema runs on PostgreSQL, with one table for equal names',
      holds('M7.36'),
      async () => {
        const { manifests } = await designer.call(listManifests, { query: { search: 'clinic' } })
        const id = manifests[0]?.id ?? 0
        expect(await errorsOf(id)).toEqual([])
        const tables = await tablesOf(id)
        expect(tables).toHaveLength(9)
        expect(tables).toContain('ObservationOfAnimalsThatSleepLongerThanTheAnaesthetistWanted')
      },
    )

    it('a second import gets free names with a report; every manifest is logged', async () => {
      const { manifest, report } = await imported('clinic.zip', clinic)
      expect(manifest.name).toBe('clinic_2')
      expect(report.slice(0, 3).map(line => line.message)).toEqual(
        ['clinic', 'care', 'billing'].map(
          name => `A manifest with the name "${name}" already exists; this one was named "${name}_2".`,
        ),
      )
      const { manifest: read } = await designer.call(getManifest, { params: { id: manifest.id } })
      expect(read.entityPaths.map(item => item.path)).toContain('user-defined/clinic_2/Animal')
      const { manifestLogs } = await designer.call(listManifestLogs, { query: { limit: 3 } })
      expect(manifestLogs.map(entry => entry.ENTITY_NAME).toSorted()).toEqual(['billing_2', 'care_2', 'clinic_2'])
    })

    it(
      'the clinic sample is read as CDM_SCHEMA by default, and rejected as another kind',
      holds('M3.95', 'M7.44'),
      async () => {
        const [unreported, reported] = [
          await imported('clinic.zip', clinic),
          await imported('clinic.zip', clinic, { importAs: 'CDM_SCHEMA' }),
        ]
        expect([unreported.manifest.name, reported.manifest.name]).toEqual(['clinic_3', 'clinic_4'])
        expect(unreported.counts).toEqual({ files: 13, entities: 10, manifests: 3, relationships: 13 })
        expect(reported.counts).toEqual(unreported.counts)
        const namesOf = async (id: number) =>
          (await designer.call(listManifestEntities, { params: { id } })).entity.map(item => item.name)
        expect(await namesOf(unreported.manifest.id)).toContain('Animal')
        expect(await namesOf(reported.manifest.id)).toEqual(await namesOf(unreported.manifest.id))
        const files = { manifestFile: { name: 'clinic.zip', bytes: clinic } }
        const asSchema = await designer.refusal(importManifest, { files, fields: { importAs: 'DATABASE_STRUCTURE' } })
        expect([asSchema.status, asSchema.answer.message]).toEqual([400, 'The archive has no .sql file.'])
      },
    )
  })

  describe.skipIf(!existsSync(zips) || !havePostgres)('real folders', () => {
    it.each([
      ['customer-insights-journeys.zip', 102],
      ['core-slice.zip', 164],
    ])('%s imports completely and its schema runs on PostgreSQL', holds('M7.43'), async (name, entities) => {
      const { counts, manifest } = await imported(name, readFileSync(resolve(zips, name)))
      expect(counts.entities).toBe(entities)
      expect(await errorsOf(manifest.id)).toEqual([])
      expect((await tablesOf(manifest.id)).length).toBeGreaterThan(entities / 2)
    })
  })
})
