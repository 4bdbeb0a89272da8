import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeArchive } from '@cadmus/formats/archive'
import { getManifest } from '@cadmus/model/contract/manifest'
import { importManifest } from '@cadmus/model/contract/manifest-transfer'
import type { StoreSettings } from '../store/database.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

const count = 1200

describeOnBothStores.whenProving('A bulk import', store => {
  let console: TestConsole
  beforeAll(async () => {
    console = await startConsole({ store })
  })
  afterAll(() => console.stop())

  function folder(): Uint8Array {
    const names = Array.from({ length: count }, (_, index) => `Thing${index}`)
    const hasAttributes = [{ name: 'thingId', purpose: 'identifiedBy', dataType: 'string' }]
    const entities = names.map(entityName => ({ entityName, entityPath: `${entityName}.cdm.json/${entityName}` }))
    const documents = names.map(
      entityName =>
        [`${entityName}.cdm.json`, JSON.stringify({ definitions: [{ entityName, hasAttributes }] })] as const,
    )
    const manifest = JSON.stringify({ manifestName: 'Many', entities, subManifests: [] })
    return writeArchive(new Map([['many.manifest.cdm.json', manifest], ...documents]))
  }

  it("updates the planner's statistics before the first query", async () => {
    const designer = await console.as('designer')
    const files = { manifestFile: { name: 'many.zip', bytes: folder() } }
    const { manifest } = await designer.call(importManifest, { files })
    expect(await countedEntities(console.context.config.store)).toBeGreaterThanOrEqual(count)
    const result = await designer.call(getManifest, { params: { id: manifest.id } })
    expect(result.manifest.entityPaths).toHaveLength(count)
  })
})

/** The planner's row estimate; fixed for the embedded store. */
async function countedEntities(settings: StoreSettings): Promise<number> {
  if (settings.kind === 'sqlite') return Infinity
  const client = new pg.Client({ connectionString: settings.url })
  await client.connect()
  const { rows } = await client.query("select reltuples from pg_class where relname = 'entity' and relkind = 'r'")
  await client.end()
  return Number(rows[0]?.reltuples)
}
