import { getManifest } from '@cadmus/model/contract/manifest'
import { getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { importManifest } from '@cadmus/model/contract/manifest-transfer'
import { writeArchive } from '@cadmus/formats/archive'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../../testing/console.ts'

describeOnBothStores('Names from files', store => {
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
    const { manifest } = await designer.call(importManifest, { files: { manifestFile: { name: file, bytes } } })
    return manifest
  }

  it('a slash in an imported name makes no folder: paths of different things stay different', async () => {
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
    ['North\u202ewind.zip', 'default'],
    ['.zip', 'default_2'],
  ])('a manifest without a name of its own takes the file’s, where that is a name: %s', async (file, expected) => {
    const { name, path, entityPaths } = await imported('default', 'Order', file)
    expect([name, path]).toEqual([expected, `user-defined/${expected}`])
    expect(entityPaths[0]?.path).toBe(`user-defined/${expected}/Order`)
  })

  it('a rename of such an entity leaves no part of its old name behind', async () => {
    const { id, entityPaths } = await imported('Shelf', 'Out/Of/Place')
    const entityId = entityPaths[0]?.id ?? -1
    const { entity } = await designer.call(getEntity, { params: { id: entityId } })
    const renamed = { name: 'InPlace', typeAttributes: entity.typeAttributes }
    await designer.call(updateEntity, { params: { id: entityId }, body: { entity: renamed }, ifMatch: '*' })
    const { manifest } = await designer.call(getManifest, { params: { id } })
    expect(manifest.entityPaths[0]).toMatchObject({ name: 'InPlace', path: 'user-defined/Shelf/InPlace' })
  })
})
