import { existsSync, readFileSync } from 'node:fs'
import { resolve as resolvePath } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { restoreEntityLog } from '@cadmus/model/contract/audit'
import { entityEdits } from '@cadmus/model/contract/edits'
import { createEntity, getEntity, listEntityLogs } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  addSubManifests,
  createManifest,
  getManifest,
  listManifestEntities,
  listNamesakes,
  resolveNamesakes,
} from '@cadmus/model/contract/manifest'
import {
  exportManifest,
  importManifest,
  previewExport,
  validateManifest,
} from '@cadmus/model/contract/manifest-transfer'
import type { NameConflictStrategy } from '@cadmus/model/name-conflicts'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import { restoreTexts } from '@cadmus/model/messages/history'
import { newUid } from '@cadmus/model/uid'
import { isProving } from '@cadmus/testing/proof'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship } from '../testing/entities.ts'

const zip = resolvePath(import.meta.dirname, '../../../../../../shared/cdm/zips/customer-insights-journeys.zip')

describeOnBothStores.whenProving('Name conflicts of a manifest', store => {
  let console: TestConsole
  let designer: ConsoleClient
  let admin: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
    admin = await console.as('admin', 'ACME')
  })
  afterAll(() => console.stop())

  let count = 0
  async function manifest(exclusiveEntities: string[] = [], subManifests: number[] = []) {
    const body = { manifestName: `Names${++count}`, exclusiveEntities, subManifests }
    return (await designer.call(createManifest, { body })).manifest
  }

  /** Creates a manifest with two sub-manifests that both have an Order, and a Line that refers to the second. */
  async function confused() {
    const left = await manifest(['Order'])
    const right = await manifest(['oRDER'])
    const order = right.entityPaths[0]?.id ?? 0
    const entity = { name: 'Line', entityAttributes: [aRelationship({ id: order }, 'orderId')] }
    const { entity: line } = await designer.call(createEntity, { body: { entity, targetManifestId: right.id } })
    const root = await manifest([], [left.id, right.id])
    return { left, right, root, order, line: line.id }
  }

  const plan = async (id: number, strategy: NameConflictStrategy = 'prefix') => {
    const { answer, etag } = await designer.callWithTag(listNamesakes, { params: { id }, query: { strategy } })
    return { steps: answer.steps, etag }
  }
  const resolve = (id: number, strategy: NameConflictStrategy, ifMatch = '*') =>
    designer.call(resolveNamesakes, { params: { id }, body: { strategy }, ifMatch })
  const script = async (id: number) =>
    (await designer.call(previewExport, { params: { id }, body: { databaseType: 'postgresql' } })).script

  it('name conflicts of a manifest are renamed as previewed, with references updated, so that the export works', async () => {
    const { left, right, root, order, line } = await confused()
    expect((await designer.refusal(exportManifest, { params: { id: root.id }, body: {} })).answer.code).toBe(
      'invalid_manifest',
    )
    const { steps, etag } = await plan(root.id)
    const keeper = left.entityPaths[0]
    expect(steps).toMatchObject([
      {
        action: 'rename',
        entity: { id: order, name: 'oRDER', path: `user-defined/${right.name}/oRDER` },
        keeper: { id: keeper?.id, path: keeper?.path },
        name: `${right.name}_oRDER`,
        path: `user-defined/${right.name}/${right.name}_oRDER`,
      },
    ])
    expect((await designer.call(validateManifest, { params: { id: root.id } })).message).not.toBe('')
    const answer = await resolve(root.id, 'prefix', etag)
    expect(answer).toMatchObject({ steps, message: 'Name conflicts resolved: 1 renamed, 0 left out.' })
    expect((await designer.call(validateManifest, { params: { id: root.id } })).message).toBe('')
    expect(await script(root.id)).toMatch(new RegExp(`FOREIGN KEY \\("orderId"\\) REFERENCES "${right.name}_oRDER"`))
    const { entity } = await designer.call(getEntity, { params: { id: line } })
    expect(entity.entityAttributes[0]?.associatedEntity).toMatchObject({ id: order, name: `${right.name}_oRDER` })
    expect((await plan(root.id)).steps).toEqual([])
    expect(await resolve(root.id, 'prefix')).toMatchObject({ steps: [] })
    const { entityLogs } = await designer.call(listEntityLogs, { query: { actionType: 'UPDATE', limit: 1 } })
    expect(entityLogs[0]?.DESCRIPTION).toBe(`Renamed entity oRDER to ${right.name}_oRDER`)
  })

  it('name conflicts are resolved by numbers or by omission with subtypes, while referrers keep the column', async () => {
    const numbered = await confused()
    expect((await resolve(numbered.root.id, 'rename')).steps.map(({ name }) => name)).toEqual(['oRDER2'])
    expect(await script(numbered.root.id)).toContain('CREATE TABLE "oRDER2"')
    const { root, order, line, right } = await confused()
    const { steps, etag } = await plan(root.id, 'leaveOut')
    expect(steps).toMatchObject([{ action: 'leaveOut', deletes: true, from: [{ id: right.id, name: right.name }] }])
    await resolve(root.id, 'leaveOut', etag)
    expect((await designer.refusal(getEntity, { params: { id: order } })).status).toBe(404)
    const { entity } = await designer.call(getEntity, { params: { id: line } })
    expect([entity.entityAttributes, entity.typeAttributes.map(({ name }) => name)]).toEqual([[], ['id', 'orderId']])
    expect(await script(root.id)).toContain('"orderId"')
    const left = await designer.call(getManifest, { params: { id: right.id } })
    expect(left.manifest.entityPaths.map(({ name }) => name)).toEqual(['Line'])
  })

  it('a renaming is undone alone: later changes stay, and a later name too', async () => {
    const { root, order, right } = await confused()
    await resolve(root.id, 'prefix')
    const save = async (change: { name: string } | { description: string }) => {
      const body = {
        format: editFormat,
        operationId: newUid(),
        base: '*',
        edits: [{ kind: 'changeEntity' as const, change }],
      }
      await designer.call(entityEdits.save, { params: { id: order }, body })
    }
    const { entries } = await designer.call(entityEdits.list, { params: { id: order }, query: { before: 0, limit: 1 } })
    const params = { id: entries[0]?.entryId ?? 0 }
    const undo = { params, body: { kind: 'undo' as const } }
    await save({ name: 'Sales' })
    const { status, answer } = await designer.refusal(restoreEntityLog, undo)
    expect([status, answer.message]).toEqual([409, restoreTexts.changedAndStays('Sales')])
    await save({ name: `${right.name}_oRDER` })
    await save({ description: 'as ordered' })
    await designer.call(restoreEntityLog, undo)
    const { entity } = await designer.call(getEntity, { params: { id: order } })
    expect(entity).toMatchObject({ name: 'oRDER', description: 'as ordered' })
  })

  it('require the tag of the preview: 428 without, 409 if outdated, changing nothing', async () => {
    const { root, right, order } = await confused()
    const call = { params: { id: root.id }, body: { strategy: 'prefix' as const } }
    expect((await designer.refusal(resolveNamesakes, call)).status).toBe(428)
    const { etag } = await plan(root.id)
    const other = (await plan(root.id, 'rename')).etag
    expect(other).not.toBe(etag)
    const third = await manifest(['ORDER'])
    await designer.call(addSubManifests, { params: { id: root.id }, body: { submanifests: [third.id] } })
    for (const ifMatch of [etag, other]) {
      const { status, answer } = await designer.refusal(resolveNamesakes, { ...call, ifMatch })
      expect([status, answer.message]).toEqual([409, expect.stringContaining('have changed')])
    }
    expect((await designer.call(getEntity, { params: { id: order } })).entity.name).toBe('oRDER')
    await resolve(root.id, 'prefix', (await plan(root.id)).etag)
    expect((await designer.call(getEntity, { params: { id: order } })).entity.name).toBe(`${right.name}_oRDER`)
    expect((await designer.call(validateManifest, { params: { id: root.id } })).message).toBe('')
  })

  it('name conflicts never rename entities of other manifests; a second such entity is removed from the list and kept', async () => {
    const one = (await manifest(['Guest'])).entityPaths[0]?.id ?? 0
    const two = (await manifest(['Guest'])).entityPaths[0]?.id ?? 0
    const host = await manifest()
    const guests = await manifest()
    const own = await manifest(['guest'])
    const listed = { query: {}, body: { entityIds: [one], type: 'TEMPLATE' as const } }
    await admin.call(addEntitiesToManifest, { ...listed, params: { id: host.id } })
    const second = { ...listed, body: { entityIds: [two], type: 'TEMPLATE' as const } }
    await admin.call(addEntitiesToManifest, { ...second, params: { id: guests.id } })
    const root = await manifest([], [own.id, host.id, guests.id])
    const { steps } = await resolve(root.id, 'prefix')
    expect(steps.map(({ action, entity, keeper, deletes }) => [action, entity.id, keeper.id, deletes])).toEqual([
      ['rename', own.entityPaths[0]?.id, one, undefined],
      ['leaveOut', two, one, false],
    ])
    expect(steps[1]?.reason).toBe('It belongs to a manifest outside of this one.')
    expect((await designer.call(getEntity, { params: { id: two } })).entity.name).toBe('Guest')
    const members = await designer.call(listManifestEntities, { params: { id: guests.id } })
    expect(members.totalElements).toBe(0)
    expect((await designer.call(validateManifest, { params: { id: root.id } })).message).toBe('')
  })

  it('name conflicts of a manifest are resolved in slices of one change', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `Thing${at}`)
    const left = await manifest(names)
    const right = await manifest(names)
    const root = await manifest([], [left.id, right.id])
    const { steps, message } = await resolve(root.id, 'prefix')
    expect([steps.length, message]).toEqual([60, 'Name conflicts resolved: 60 renamed, 0 left out.'])
    expect((await designer.call(validateManifest, { params: { id: root.id } })).problems).toEqual([])
    const { entityLogs } = await designer.call(listEntityLogs, { query: { actionType: 'UPDATE', limit: 60 } })
    expect(new Set(entityLogs.map(entry => entry.ENTITY_NAME))).toEqual(new Set(steps.map(({ name }) => name)))
    expect(new Set(entityLogs.map(entry => entry.CHANGE_ID)).size).toBe(1)
  })

  it('a plan for name conflicts is invisible to and locked for other organisations', async () => {
    const { root } = await confused()
    const stranger = await console.as('admin', 'CADMUS')
    const call = { params: { id: root.id }, body: { strategy: 'prefix' as const }, ifMatch: '*' }
    expect((await stranger.refusal(resolveNamesakes, call)).status).toBe(404)
    expect((await stranger.refusal(listNamesakes, { params: { id: root.id }, query: {} })).status).toBe(404)
  })

  // Slow; the other tests check the same on small manifests.
  if (!isProving()) return
  it.skipIf(!existsSync(zip))(
    'name conflicts of a doubled real folder are all renamed, and the script is complete',
    async () => {
      const subs: number[] = []
      for (const name of ['journeys.zip', 'again.zip']) {
        const files = { manifestFile: { name, bytes: readFileSync(zip) } }
        subs.push((await designer.call(importManifest, { files })).manifest.id)
      }
      const root = await manifest([], subs)
      const refused = await designer.refusal(exportManifest, { params: { id: root.id }, body: {} })
      expect(refused.answer.code).toBe('invalid_manifest')
      const { steps, etag } = await plan(root.id)
      expect(steps.length).toBeGreaterThan(20)
      expect(new Set(steps.map(({ action }) => action))).toEqual(new Set(['rename']))
      await resolve(root.id, 'prefix', etag)
      const errors = (await designer.call(validateManifest, { params: { id: root.id } })).message
      expect(errors).toBe('')
      const tables = [...(await script(root.id)).matchAll(/^CREATE TABLE "([^"]+)"/gm)].map(result => result[1])
      expect(tables).toEqual(expect.arrayContaining(steps.map(({ name }) => name)))
      expect(new Set(tables).size).toBe(tables.length)
    },
  )
})
