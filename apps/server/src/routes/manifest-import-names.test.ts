import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeArchive } from '@cadmus/formats/archive'
import { getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { getManifest } from '@cadmus/model/contract/manifest'
import { importManifest } from '@cadmus/model/contract/manifest-transfer'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('Names from files', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  async function imported(manifestName: string, entityName: string, file = 'odd.zip') {
    const hasAttributes = [{ name: 'oddId', purpose: 'identifiedBy', dataType: 'string' }]
    const entities = [{ entityName, entityPath: `E.cdm.json/${entityName}` }]
    const bytes = writeArchive(
      new Map([
        ['odd.manifest.cdm.json', JSON.stringify({ manifestName, entities, subManifests: [] })],
        ['E.cdm.json', JSON.stringify({ definitions: [{ entityName, hasAttributes }] })],
      ]),
    )
    const { manifest, report } = await designer.call(importManifest, { files: { manifestFile: { name: file, bytes } } })
    return { ...manifest, report }
  }

  it('imported names with slashes create no folders, and paths are distinct', async () => {
    const first = await imported('Left/Right', 'Up')
    const second = await imported('Left', 'Right/Up')
    const paths = [first, second].flatMap(({ path, entityPaths }) => [path, ...entityPaths.map(item => item.path)])
    expect(paths).toEqual([
      'user-defined/Left%2FRight',
      'user-defined/Left%2FRight/Up',
      'user-defined/Left',
      'user-defined/Left/Right%2FUp',
    ])
    expect([first.name, second.entityPaths[0]?.name]).toEqual(['Left/Right', 'Right/Up'])
  })

  it.each([
    ['Northwind.ZIP', 'Northwind'],
    ['2024 north-wind (draft)_.zip', 'north_wind_draft'],
    ['Bücher.zip', 'Bucher'],
    [`${'long'.repeat(12)}-tail.zip`, `${'long'.repeat(12)}_t`],
    ['North\u202ewind.zip', 'default'],
    ['.zip', 'default_2'],
  ])("replace a missing manifest name by the file's, if valid: %s", async (file, expected) => {
    const { name, path, entityPaths } = await imported('default', 'Order', file)
    expect([name, path]).toEqual([expected, `user-defined/${expected}`])
    expect(entityPaths[0]?.path).toBe(`user-defined/${expected}/Order`)
  })

  it('imported names with unsupported characters are replaced and reported with the file', async () => {
    const entityName = 'Or\ud800der\u0007'
    const manifest = await imported('Tor\udc00n', entityName)
    expect(manifest.name).toBe('Tor\ufffdn')
    expect(manifest.entityPaths[0]).toMatchObject({
      name: 'Or\ufffdder\ufffd',
      path: 'user-defined/Tor\ufffdn/Or\ufffdder\ufffd',
    })
    const about = manifest.report.filter(({ message }) => message.includes('not allowed'))
    expect(about.map(({ severity, path }) => [severity, path.split('/')[0]])).toEqual([
      ['warning', 'odd.manifest.cdm.json'],
      ['warning', ''],
    ])
    expect(about[1]?.path).toMatch(/^\/E\.cdm\.json\//)
    expect(about[1]?.message).toContain('Or‹U+D800›der')
  })

  it('imported names that differ only in case are reported', async () => {
    const hasAttributes = [{ name: 'oddId', purpose: 'identifiedBy', dataType: 'string' }]
    const names = ['Order', 'order', 'Item']
    const entities = names.map((entityName, index) => ({ entityName, entityPath: `E${index}.cdm.json/${entityName}` }))
    const documents = names.map((entityName, index): [string, string] => [
      `E${index}.cdm.json`,
      JSON.stringify({ definitions: [{ entityName, hasAttributes }] }),
    ])
    const manifestName = 'Cases'
    const bytes = writeArchive(
      new Map([['c.manifest.cdm.json', JSON.stringify({ manifestName, entities, subManifests: [] })], ...documents]),
    )
    const { report } = await designer.call(importManifest, { files: { manifestFile: { name: 'c.zip', bytes } } })
    const lines = report.filter(({ message }) => message.includes('"order"'))
    expect(lines).toMatchObject([{ severity: 'warning', path: '/E1.cdm.json/order' }])
    expect(lines[0]?.message).toContain('"Order"')
  })

  it('imported names with unusual characters are completely replaced in a rename', async () => {
    const { id, entityPaths } = await imported('Shelf', 'Out/Of/Place')
    const entityId = entityPaths[0]?.id ?? -1
    const { entity } = await designer.call(getEntity, { params: { id: entityId } })
    const renamed = { name: 'InPlace', typeAttributes: entity.typeAttributes }
    await designer.call(updateEntity, { params: { id: entityId }, body: { entity: renamed }, ifMatch: '*' })
    const { manifest } = await designer.call(getManifest, { params: { id } })
    expect(manifest.entityPaths[0]).toMatchObject({ name: 'InPlace', path: 'user-defined/Shelf/InPlace' })
  })
})
