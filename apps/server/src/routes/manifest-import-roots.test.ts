import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeArchive } from '@cadmus/formats/archive'
import type { CallInput } from '@cadmus/model/contract/call'
import { listManifestEntities } from '@cadmus/model/contract/manifest'
import { importManifest } from '@cadmus/model/contract/manifest-transfer'
import type { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'

/** A folder with one manifest and entity per file name. */
function zipOf(...roots: readonly string[]): Uint8Array {
  const files = roots.flatMap(root => {
    const name = `Entity${root.replaceAll(/\W/g, '')}`
    const key = { name: 'plotId', purpose: 'identifiedBy', dataType: 'integer' }
    const manifest = {
      manifestName: 'Allotment',
      entities: [{ type: 'LocalEntity', entityName: name, entityPath: `${name}.cdm.json/${name}` }],
    }
    const document = {
      imports: [{ corpusPath: 'cdm:/foundations.cdm.json' }],
      definitions: [{ entityName: name, extendsEntity: 'CdmEntity', hasAttributes: [key] }],
    }
    return [
      [`${root}.manifest.cdm.json`, JSON.stringify(manifest)],
      [`${name}.cdm.json`, JSON.stringify(document)],
    ] as const
  })
  return writeArchive(new Map(files))
}

describe('Import of a CDM folder with several root manifests', () => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole()
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  const files = (...roots: readonly string[]) => ({
    manifestFile: { name: 'allotment.zip', bytes: zipOf(...roots) },
  })
  const versions = ['X.1.0', 'X.2.0']

  async function entitiesOf(query: CallInput<typeof importManifest>['query']) {
    const { manifest, report } = await designer.call(importManifest, { files: files(...versions), query })
    const { entity } = await designer.call(listManifestEntities, { params: { id: manifest.id } })
    return { entities: entity.map(({ name }) => name), report: report.map(({ message }) => message) }
  }

  it('selects the newest version with a report', async () => {
    const { entities, report } = await entitiesOf({})
    expect(entities).toEqual(['EntityX20'])
    expect(report).toContain('It is the newest of 2 versions of the root manifest; it was read as the root.')
  })

  it('selects the requested one', async () => {
    const query = { rootManifest: 'X.1.0.manifest.cdm.json', askForRoot: 'true' as const }
    expect(await entitiesOf(query)).toMatchObject({ entities: ['EntityX10'] })
  })

  it('rejects with the choices if requested, or if the roots are unrelated', async () => {
    const requested = await designer.refusal(importManifest, {
      files: files(...versions),
      query: { askForRoot: 'true' },
    })
    expect([requested.status, requested.answer]).toEqual([
      400,
      {
        code: 'several_roots',
        message: 'The folder has several root manifests: "X.2.0.manifest.cdm.json", "X.1.0.manifest.cdm.json".',
        errors: [{ path: 'manifestFile', message: expect.stringContaining('several root manifests') }],
        roots: ['X.2.0.manifest.cdm.json', 'X.1.0.manifest.cdm.json'],
      },
    ])
    const unrelated = await designer.refusal(importManifest, { files: files('Aa', 'Bb') })
    expect(unrelated.answer.roots).toEqual(['Aa.manifest.cdm.json', 'Bb.manifest.cdm.json'])
  })

  it('rejects an unknown or invalid root, and an invalid parameter value', async () => {
    for (const rootManifest of ['gone.manifest.cdm.json', 'EntityX10.cdm.json', '../../etc/passwd']) {
      const { status, answer } = await designer.refusal(importManifest, {
        files: files(...versions),
        query: { rootManifest },
      })
      expect([status, answer.message]).toEqual([400, `"${rootManifest}" is not a manifest.`])
    }
    const query = { askForRoot: 'perhaps' as 'true' }
    expect((await designer.refusal(importManifest, { files: files(...versions), query })).status).toBe(400)
  })
})
