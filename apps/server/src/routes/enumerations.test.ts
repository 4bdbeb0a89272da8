import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manifestEdits, saveChanges } from '@cadmus/model/contract/edits'
import { createEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { importReviewedInto, listExistingEntities, reviewImport } from '@cadmus/model/contract/import-review'
import { createManifest, getManifest, listManifestEntities } from '@cadmus/model/contract/manifest'
import { exportManifest, importManifest } from '@cadmus/model/contract/manifest-transfer'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import { type EntityContent, entityContentSchema } from '@cadmus/model/entity'
import type { Enumeration } from '@cadmus/model/enumeration'
import { enumerationTexts } from '@cadmus/model/messages/enumerations'
import { newUid } from '@cadmus/model/uid'
import type { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'
import { saveBody } from '../testing/entities.ts'

let server: TestConsole
let designer: ConsoleClient
beforeAll(async () => {
  server = await startConsole()
  designer = await server.as('designer')
})
afterAll(() => server.stop())

const enumerationOf = (name: string, ...values: string[]): Enumeration => ({
  uid: newUid(),
  name,
  description: '',
  values: values.map(value => ({ uid: newUid(), value, label: '' })),
})

let count = 0
/** A manifest with an enumeration, and an entity whose attribute has it. */
async function opened() {
  const body = { manifestName: `Enumerated${++count}` }
  const { id } = (await designer.call(createManifest, { body })).manifest
  const state = enumerationOf('State', 'Open', 'Closed')
  await saved(id, [state])
  const entity = {
    name: 'Order',
    typeAttributes: [{ name: 'state', enumeration: { uid: state.uid, name: '' } }, { name: 'plain' }],
  }
  const created = await designer.call(createEntity, { body: { entity, targetManifestId: id } })
  return { id, state, entityId: created.entity.id }
}

async function save(id: number, enumerations: readonly Enumeration[], more: object = {}) {
  const { etag } = await designer.callWithTag(getManifest, { params: { id } })
  const edits = [{ kind: 'changeManifest' as const, change: { enumerations: [...enumerations] } }]
  return { params: { id }, body: { format: editFormat, operationId: newUid(), base: etag, edits, ...more } }
}

const saved = async (id: number, enumerations: readonly Enumeration[]) =>
  designer.call(manifestEdits.save, await save(id, enumerations))

const enumerationsOf = async (id: number) =>
  (await designer.call(getManifest, { params: { id } })).manifest.enumerations

async function contentOf(id: number): Promise<{ content: EntityContent; etag: string }> {
  const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
  return { etag, content: entityContentSchema.parse(JSON.parse(answer.entity.content)) }
}

const stateOf = async (id: number) => {
  const { enumeration, choices } =
    (await contentOf(id)).content.typeAttributes.find(({ name }) => name === 'state') ?? {}
  return { enumeration: enumeration?.name ?? null, choices }
}

describe('Enumerations of a manifest', () => {
  it('give the attributes that choose them their values, and change these with them in one change', async () => {
    const { id, state, entityId } = await opened()
    expect(await stateOf(entityId)).toEqual({ enumeration: 'State', choices: ['Open', 'Closed'] })
    const renamed = { ...state, name: 'Status', values: [...enumerationOf('', 'New').values, ...state.values] }
    const { effects } = await saved(id, [renamed])
    expect(effects.map(({ document }) => document.name)).toEqual(['Order'])
    expect(await stateOf(entityId)).toEqual({ enumeration: 'Status', choices: ['New', 'Open', 'Closed'] })
    expect(await enumerationsOf(id)).toEqual([renamed])
  })

  it('take default values along as they are renamed, and keep a value that is one', async () => {
    const { id, state, entityId } = await opened()
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id: entityId } })
    const typeAttributes = answer.entity.typeAttributes.map(item =>
      item.name === 'state' ? { ...item, defaultValue: 'Open' } : item,
    )
    const body = saveBody({ ...answer.entity, typeAttributes })
    await designer.call(updateEntity, { params: { id: entityId }, body, ifMatch: etag })
    const [open, closed] = state.values.map(({ uid, label }) => ({ uid, label }))
    if (!open || !closed) throw new Error('values')
    const swapped = [
      { ...open, value: 'Closed' },
      { ...closed, value: 'Open' },
    ]
    await saved(id, [{ ...state, values: swapped }])
    const defaultOf = async () =>
      (await contentOf(entityId)).content.typeAttributes.find(({ name }) => name === 'state')?.defaultValue
    expect(await defaultOf()).toBe('Closed')
    await saved(id, [
      {
        ...state,
        values: [
          { ...open, value: 'Begun' },
          { ...closed, value: 'Open' },
        ],
      },
    ])
    expect(await defaultOf()).toBe('Begun')
    await expect(saved(id, [{ ...state, values: [{ ...closed, value: 'Open' }] }])).rejects.toThrow(
      enumerationTexts.isDefault('Begun', 'Order.state'),
    )
    expect(await defaultOf()).toBe('Begun')
  })

  it('survive a CDM folder, also one that is imported beside the manifest or into it', async () => {
    const { id, state } = await opened()
    const { bytes } = await designer.download(exportManifest, { params: { id }, body: { exportType: 'CDM_SCHEMA' } })
    const manifestFile = { name: 'folder.zip', bytes }
    const { manifest } = await designer.call(importManifest, { files: { manifestFile } })
    expect(await enumerationsOf(manifest.id)).toEqual([state])
    const [entity] = (await designer.call(listManifestEntities, { params: { id: manifest.id } })).entity
    expect(await stateOf(entity?.id ?? 0)).toEqual({ enumeration: 'State', choices: ['Open', 'Closed'] })
    const { key } = (await designer.call(reviewImport, { files: { manifestFile } })).review
    const { existing } = await designer.call(listExistingEntities, { params: { key }, query: { manifestId: id } })
    const known = existing.map(one => ({ id: one.id, tag: one.tag }))
    const into = await designer.call(importReviewedInto, { params: { key, id }, body: { known } })
    expect(into).toMatchObject({ created: [], changed: [], unchanged: 1 })
    expect(await enumerationsOf(id)).toEqual([state])
  })

  it('leave their attributes the choices once they are deleted', async () => {
    const { id, entityId } = await opened()
    const dry = await designer.call(manifestEdits.save, await save(id, [], { dryRun: true }))
    expect(dry.effects.map(({ document }) => document.name)).toEqual(['Order'])
    expect(await stateOf(entityId)).toMatchObject({ enumeration: 'State' })
    await saved(id, [])
    expect(await stateOf(entityId)).toEqual({ enumeration: null, choices: ['Open', 'Closed'] })
  })

  it('are no longer those of an attribute whose choices are edited', async () => {
    const { entityId } = await opened()
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id: entityId } })
    const typeAttributes = answer.entity.typeAttributes.map(item =>
      item.name === 'state' ? { ...item, choices: ['Open'] } : item,
    )
    const body = saveBody({ ...answer.entity, typeAttributes })
    await designer.call(updateEntity, { params: { id: entityId }, body, ifMatch: etag })
    expect(await stateOf(entityId)).toEqual({ enumeration: null, choices: ['Open'] })
  })

  it('are merged by uid', async () => {
    const { id, state } = await opened()
    const { etag } = await designer.callWithTag(getManifest, { params: { id } })
    const other = enumerationOf('Size', 'S', 'L')
    await saved(id, [state, other])
    const edits = [{ kind: 'changeManifest' as const, change: { enumerations: [{ ...state, description: 'mine' }] } }]
    await designer.call(manifestEdits.save, {
      params: { id },
      body: { format: editFormat, operationId: newUid(), base: etag, edits },
    })
    expect(await enumerationsOf(id)).toEqual([{ ...state, description: 'mine' }, other])
  })

  it.each([
    ['a name twice', () => [enumerationOf('A', 'x'), enumerationOf('a', 'y')], /already exists/],
    ['no values', () => [enumerationOf('A')], /An enumeration needs a value/],
    ['a value twice', () => [enumerationOf('A', 'x', 'x')], /Enumeration 'A'/],
  ])('are refused with %s', async (_what, make, message) => {
    const body = { manifestName: `Enumerated${++count}` }
    const { id } = (await designer.call(createManifest, { body })).manifest
    const { status, answer } = await designer.refusal(manifestEdits.save, await save(id, make()))
    expect({ status, message: answer.message }).toEqual({ status: 400, message: expect.stringMatching(message) })
  })

  it('of another manifest are not those of its attributes', async () => {
    const [{ state }, { entityId }] = [await opened(), await opened()]
    const { content, etag } = await contentOf(entityId)
    const uid = content.typeAttributes.find(({ name }) => name === 'plain')?.uid ?? ''
    const change = { enumeration: { uid: state.uid, name: 'State' }, choices: ['Open'] }
    const edits = [{ kind: 'changeAttributes' as const, changes: [{ uid, change }] }]
    await designer.call(saveChanges, {
      body: {
        format: editFormat,
        operationId: newUid(),
        changes: [{ kind: 'entity', id: entityId, base: etag, edits }],
      },
    })
    const plain = (await contentOf(entityId)).content.typeAttributes.find(({ name }) => name === 'plain')
    expect(plain).toMatchObject({ enumeration: null, choices: ['Open'] })
  })
})
