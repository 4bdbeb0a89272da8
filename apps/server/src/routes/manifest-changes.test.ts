import { afterAll, beforeAll, expect, it } from 'vitest'
import { configurationEdits, entityEdits, listManifestChanges, saveChanges } from '@cadmus/model/contract/edits'
import { createEntity } from '@cadmus/model/contract/entity'
import { addEntitiesToManifest, addSubManifests, createManifest } from '@cadmus/model/contract/manifest'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import { newUid } from '@cadmus/model/uid'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addPredefined } from '../testing/entities.ts'

describeOnBothStores.whenProving("The caller's changes in a manifest", store => {
  let server: TestConsole
  let designer: ConsoleClient
  let colleague: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    colleague = await server.as('admin', 'ACME')
  })
  afterAll(() => server.stop())

  let count = 0
  const manifest = async () =>
    (await designer.call(createManifest, { body: { manifestName: `Changed${++count}` } })).manifest.id
  const entity = async (targetManifestId: number) => {
    const body = { entity: { name: `Changed${++count}` }, targetManifestId }
    return (await designer.call(createEntity, { body })).entity.id
  }
  const describing = (description: string) => ({ kind: 'changeEntity' as const, change: { description } })
  const edited = () => ({ format: editFormat, operationId: newUid() })
  const describe = async (id: number, text: string, client = designer) =>
    client.call(entityEdits.save, { params: { id }, body: { ...edited(), base: '*', edits: [describing(text)] } })
  const changes = async (id: number, query: object = {}) =>
    (await designer.call(listManifestChanges, { params: { id }, query })).entries

  it('are those of its entities, of its configuration and of its sub-manifests, newest first, without edits', async () => {
    const [root, below, other] = [await manifest(), await manifest(), await manifest()]
    await designer.call(addSubManifests, { params: { id: root }, body: { submanifests: [below] } })
    const [own, deep, foreign] = [await entity(root), await entity(below), await entity(other)]
    for (const id of [own, deep, foreign]) await describe(id, 'first')
    await describe(own, 'theirs', colleague)
    const path = ['configurationBuild', 'apiScopeConfiguration', 'scopeDefinitions']
    const configuring = { kind: 'changeConfiguration' as const, changes: [{ path, value: ['clinic.read'] }] }
    const body = { ...edited(), base: '*', edits: [configuring] }
    await designer.call(configurationEdits.save, { params: { id: root }, body })
    const entries = await changes(root)
    expect(entries.map(({ document }) => [document.kind, document.id]).slice(0, 3)).toEqual([
      ['configuration', root],
      ['entity', deep],
      ['entity', own],
    ])
    expect(new Set(entries.map(({ own: isOwn, edits }) => `${isOwn} ${edits}`))).toEqual(new Set(['true null']))
    expect(entries.map(({ document }) => document.id)).not.toContain(foreign)
    expect(await changes(root, { limit: 2 })).toEqual(entries.slice(0, 2))
    expect(await changes(root, { before: entries[0]?.sequence, limit: 1 })).toEqual(entries.slice(1, 2))
  })

  it('are also those of the scopes of predefined entities', async () => {
    const [root, predefined] = [await manifest(), await addPredefined(server, { name: `Changed${++count}` })]
    const params = { id: root }
    await colleague.call(addEntitiesToManifest, { params, body: { entityIds: [predefined], type: 'TEMPLATE' } })
    const change = { selectOperationScopes: ['clinic.read'] }
    const body = { ...edited(), base: '*', edits: [{ kind: 'changeScopes' as const, change }] }
    await colleague.call(entityEdits.save, { params: { id: predefined }, body })
    const { entries } = await colleague.call(listManifestChanges, { params })
    expect(entries[0]?.document).toMatchObject({ kind: 'scopes', id: predefined })
  })

  it('and an entry of one document names the others that the same request changed', async () => {
    const root = await manifest()
    const ids = [await entity(root), await entity(root)]
    const documents = ids.map(id => ({ kind: 'entity' as const, id, base: '*', edits: [describing('together')] }))
    await designer.call(saveChanges, { body: { ...edited(), changes: documents } })
    const [second, first] = await changes(root)
    expect([first?.document.id, second?.document.id, first?.changeId]).toEqual([...ids, second?.changeId])
    const params = { id: ids[0]!, sequence: first?.sequence ?? 0 }
    const { others } = await designer.call(entityEdits.states, { params })
    expect(others.map(({ document, sequence }) => [document.id, sequence])).toEqual([[ids[1], second?.sequence]])
    const { entry } = await describe(ids[0]!, 'alone')
    const alone = await designer.call(entityEdits.states, { params: { ...params, sequence: entry?.sequence ?? 0 } })
    expect(alone.others).toEqual([])
  })
})
