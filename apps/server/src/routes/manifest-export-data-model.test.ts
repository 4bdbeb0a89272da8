import { afterAll, beforeAll, expect, it } from 'vitest'
import { readArchive, writeArchive } from '@cadmus/formats/archive'
import { readConfiguration } from '@cadmus/model/configuration'
import { getEntity } from '@cadmus/model/contract/entity'
import {
  addManifestVersion,
  createManifest,
  getManifestConfiguration,
  listManifestEntities,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { exportManifest, importManifest, notesHeader, previewExport } from '@cadmus/model/contract/manifest-transfer'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

const exportType = 'ENTITY_GLOOP_MODEL' as const
const sales = `CREATE TABLE customer (id bigint PRIMARY KEY, name varchar(80) NOT NULL);
CREATE TABLE sale (id bigint PRIMARY KEY, customer_id bigint NOT NULL REFERENCES customer);`

describeOnBothStores.whenProving('Export of a data model', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  async function made(name: string) {
    const bytes = writeArchive(new Map([[`${name}.sql`, sales]]))
    const files = { manifestFile: { name: `${name}.zip`, bytes } }
    return (await designer.call(importManifest, { fields: { importAs: 'DATABASE_STRUCTURE' }, files })).manifest
  }

  async function requireExport(id: number, input: object = {}) {
    const body = { databaseType: 'PSQL', exportType, ...input }
    const { bytes, fileName, headers } = await designer.download(exportManifest, { params: { id }, body })
    const files = readArchive(bytes)
    const models = [...files.keys()].map((path): [string, unknown] => [
      path,
      JSON.parse(String(Buffer.from(files.get(path) ?? ''))),
    ])
    const contentType = headers.get('content-type')
    return { bytes, fileName, contentType, models: new Map(models), notes: headers.get(notesHeader) }
  }

  it(
    'an exported data model is a zip of JSON models, one per entity, with reproducible bytes',
    holds('M1.10', 'M3.94', 'M7.36', 'M7.38', 'M7.41', 'M7.42'),
    async () => {
      const { id } = await made('Sold')
      const { bytes, fileName, contentType, models, notes } = await requireExport(id)
      expect([fileName, contentType]).toEqual(['Sold-model.zip', 'application/zip'])
      expect([...models.keys()]).toEqual(['Sold/models/customer.model', 'Sold/models/sale.model'])
      expect(models.get('Sold/models/customer.model')).toEqual({
        name: 'customer',
        type: 'model',
        gloopProperties: [
          { name: 'id', type: 'integer', allowNull: false },
          { name: 'name', type: 'string', allowNull: false, maxLength: 80 },
        ],
      })
      expect(Number(notes)).toBeGreaterThan(0)
      expect((await requireExport(id)).bytes).toEqual(bytes)
      const { script, notes: reported } = await designer.call(previewExport, { params: { id }, body: { exportType } })
      expect(script).toContain('// Sold/models/sale.model\n{\n  "name": "sale"')
      expect(script).toContain(
        "// sale.customer_id: 'customer_id' is a plain property without joins: its reference to 'customer' is not written.",
      )
      expect(reported).toBe(Number(notes))
    },
  )

  it('an exported data model has a property for the related record if the configuration joins, in the requested version', async () => {
    const { id } = await made('Joined')
    await designer.call(addManifestVersion, { params: { id }, query: { version: '2.0.0' } })
    const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params: { id } })
    const { configurationBuild } = readConfiguration(answer.manifestProperties)
    const sqlConfiguration = { ...configurationBuild.sqlConfiguration, applyJoin: true }
    const body = { configurationBuild: { ...configurationBuild, sqlConfiguration } }
    await designer.call(saveManifestConfiguration, { params: { id }, body, ifMatch: etag })
    const joined = { name: 'customer', type: 'model', reference: 'Joined.models.customer' }
    const path = 'Joined/models/sale.model'
    expect((await requireExport(id)).models.get(path)).toMatchObject({ gloopProperties: [{}, {}, joined] })
    expect((await requireExport(id, { version: '1.0.0' })).models.get(path)).toMatchObject({
      gloopProperties: [{}, {}],
    })
  })

  it('an exported data model can be imported again, with a report of lost information', async () => {
    const { bytes } = await requireExport((await made('Returned')).id)
    const answer = await designer.call(importManifest, { files: { manifestFile: { name: 'x.zip', bytes } } })
    expect(answer.manifest.name).toBe('Returned_2')
    const { entity } = await designer.call(listManifestEntities, { params: { id: answer.manifest.id } })
    expect(entity.map(({ name }) => name)).toEqual(['customer', 'sale'])
    expect(answer.report.map(({ message }) => message)).toContain(
      'The format does not state which property is the key: "id" is used.',
    )
  })

  it('an exported data model can be imported with duplicate property names, which validation reports', async () => {
    const gloopProperties = [
      { name: 'id', type: 'long', allowNull: false },
      { name: 'a' },
      { name: 'A' },
      { name: 'a' },
    ]
    const model = JSON.stringify({ name: 'Twice', type: 'model', gloopProperties })
    const bytes = writeArchive(new Map([['Doubled/models/Twice.model', model]]))
    const { manifest } = await designer.call(importManifest, { files: { manifestFile: { name: 'x.zip', bytes } } })
    const { entity } = await designer.call(listManifestEntities, { params: { id: manifest.id } })
    const result = await designer.call(getEntity, { params: { id: entity[0]?.id ?? 0 } })
    expect(result.entity.typeAttributes.map(({ name }) => name)).toEqual(['id', 'a', 'A', 'a'])
    expect((await designer.refusal(exportManifest, { params: { id: manifest.id }, body: { exportType } })).status).toBe(
      400,
    )
  })

  it('the data model export rejects an invalid manifest with all problems and an unknown one with 404', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'NothingSold' } })
    const refused = await designer.refusal(exportManifest, { params: { id: manifest.id }, body: { exportType } })
    expect([refused.status, refused.answer.message]).toEqual([400, 'NothingSold has no entity.'])
    expect((await designer.refusal(exportManifest, { params: { id: 999_999 }, body: { exportType } })).status).toBe(404)
  })
})
