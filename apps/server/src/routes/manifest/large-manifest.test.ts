import { getEntity } from '@cadmus/model/contract/entity'
import { createManifest, createManifestByWizard, getManifest } from '@cadmus/model/contract/manifest'
import { listManifestEntities } from '@cadmus/model/contract/manifest-members'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../../testing/console.ts'

describeOnBothStores('A manifest with many entities', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  const names = Array.from({ length: 130 }, (_, index) => `Many${index}`)

  it('M3.68 is duplicated whole, in its order, in slices that nobody sees before the end', async () => {
    const { manifest } = await designer.call(createManifest, {
      body: { manifestName: 'Large', exclusiveEntities: names },
    })
    const body = { manifestName: 'Larger', duplicateManifest: manifest.id, exclusiveEntities: ['OneMore'] }
    const { manifest: copy } = await designer.call(createManifestByWizard, { body })
    expect(copy.entityPaths.map(item => item.name)).toEqual([...names, 'OneMore'])
    expect(copy.entityPaths.every(item => item.path.startsWith('user-defined/Larger/'))).toBe(true)
    const { manifest: read } = await designer.call(getManifest, { params: { id: copy.id } })
    expect(read).toEqual(copy)
    const { totalElements } = await designer.call(listManifestEntities, { params: { id: copy.id } })
    expect(totalElements).toBe(131)
    const { entity } = await designer.call(getEntity, { params: { id: copy.entityPaths[7]?.id ?? 0 } })
    expect(entity).toMatchObject({ name: 'Many7', primaryKey: 'id', targetManifest: { id: copy.id } })
  })

  it('leaves nothing where its name is taken', async () => {
    const { manifest } = await designer.call(createManifest, {
      body: { manifestName: 'Large2', exclusiveEntities: names },
    })
    const body = { manifestName: 'large2', duplicateManifest: manifest.id }
    const { answer } = await designer.refusal(createManifestByWizard, { body })
    expect(answer.message).toBe('A manifest with the name "large2" already exists.')
  })
})
