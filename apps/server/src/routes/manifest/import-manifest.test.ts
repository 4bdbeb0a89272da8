import { exportManifest, importManifest, validateManifest } from '@cadmus/model/contract/manifest'
import { readArchive } from '@cadmus/formats/archive'
import { startPostgres } from '@cadmus/testing/postgres'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConsoleClient } from '../../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../../testing/console.ts'

const zips = resolve(import.meta.dirname, '../../../../../../shared/cdm/zips')

describeOnBothStores('Import of real CDM folders', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  describe.skipIf(!existsSync(zips))('where they are', () => {
    it.each([
      ['customer-insights-journeys.zip', 102],
      ['core-slice.zip', 164],
    ])('M7.43 M3.95 %s imports whole and its schema runs on PostgreSQL', async (name, entities) => {
      const bytes = readFileSync(resolve(zips, name))
      const imported = await designer.call(importManifest, { files: { manifestFile: { name, bytes } } })
      expect(imported.counts.entities).toBe(entities)
      const params = { id: imported.manifest.id }
      const { problems } = await designer.call(validateManifest, { params })
      expect(problems.filter(problem => problem.severity === 'error')).toEqual([])
      const { bytes: zip } = await designer.download(exportManifest, { params, body: {} })
      const files = readArchive(zip)
      const script = new TextDecoder().decode(new Uint8Array(Buffer.from(files.get([...files.keys()][0] ?? '') ?? '')))
      const database = await (await startPostgres()).createDatabase()
      await database.execute(script)
      const tables = await database.query(
        "select table_name from information_schema.tables where table_schema = 'public'",
      )
      expect(tables.length).toBeGreaterThan(entities / 2)
      await database.drop()
    })
  })
})
