import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { adminUpdateEntityContent } from '@cadmus/model/contract/admin-documents'
import { configurationEdits, entityEdits, manifestEdits, saveChanges } from '@cadmus/model/contract/edits'
import { addEntityVersion, createEntity, deleteEntity, getEntity } from '@cadmus/model/contract/entity'
import {
  addManifestVersion,
  createManifest,
  getManifest,
  getManifestConfiguration,
  saveManifestConfiguration,
  updateManifest,
} from '@cadmus/model/contract/manifest'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import type { ManifestEdit } from '@cadmus/model/edits/manifest-edits'
import { newUid } from '@cadmus/model/uid'
import { ApiError } from '../errors/api-error.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'
import { createState, openState, saveEditsOn } from '../testing/edited-entities.ts'

let server: TestConsole
let designer: ConsoleClient
let admin: ConsoleClient
beforeAll(async () => {
  server = await startConsole()
  designer = await server.as('designer')
  admin = await server.as('admin', 'ACME')
})
afterAll(() => server.stop())

let count = 0
const entity = async (targetManifestId = -1) => {
  const body = { entity: { name: `Changed${++count}` }, targetManifestId }
  const { answer, etag } = await designer.callWithTag(createEntity, { body })
  return { id: answer.entity.id, uid: answer.entity.uid, name: answer.entity.name, etag }
}
const manifest = async () => {
  const { manifest: created } = await designer.call(createManifest, { body: { manifestName: `Changed${++count}` } })
  return openedManifest(created.id)
}
const openedManifest = async (id: number) => {
  const { answer, etag } = await designer.callWithTag(getManifest, { params: { id } })
  return { id, etag, manifest: answer.manifest }
}
const described = (description: string): EntityEdit => ({ kind: 'changeEntity', change: { description } })
const descriptionOf = async (id: number) => (await designer.call(getEntity, { params: { id } })).entity.description

describe('POST entity/{id}/edits with the options of the page', () => {
  it('answers the document as a GET does, if requested, and so does settling', async () => {
    const start = await createState(designer)
    const [operationId, query] = [newUid(), { answer: 'document' as const }]
    const params = { id: start.id }
    const edits: EntityEdit[] = [{ kind: 'changeEntity', change: { name: `Named${++count}` } }]
    const body = { format: editFormat, operationId, base: start.etag, edits }
    const saved = await designer.callWithTag(entityEdits.save, { params, query, body })
    const { answer, etag } = await designer.callWithTag(getEntity, { params })
    expect(saved).toMatchObject({ answer: { ...answer, entry: { operationId, after: etag } }, etag })
    expect(saved.answer.content).toBeUndefined()
    await saveEditsOn(designer, await openState(designer, start.id), [described('later')])
    const settled = await designer.callWithTag(entityEdits.settle, { params: { ...params, operationId }, query })
    expect(settled).toEqual({ answer: { result: saved.answer }, etag })
    const typeAttributes = Array.from({ length: 60 }, (_, n) => ({ name: `a${n}`, description: 'x'.repeat(2500) }))
    const large = await designer.call(createEntity, { body: { entity: { name: `Large${++count}`, typeAttributes } } })
    const wide = { ...body, operationId: newUid(), base: '*', edits: [described('wide')] }
    const made = await designer.call(entityEdits.save, { params: { id: large.entity.id }, query, body: wide })
    expect(made).toMatchObject({
      ...(await designer.call(getEntity, { params: { id: large.entity.id } })),
      entry: { edits: [described('wide')] },
    })
    const dry = { ...body, operationId: newUid(), base: '*', dryRun: true }
    expect((await designer.call(entityEdits.save, { params, query, body: dry })).content).toMatchObject(
      edits[0]?.kind === 'changeEntity' ? edits[0].change : {},
    )
  })

  it('answers the edited old version as a GET does, and so does settling', async () => {
    const start = await createState(designer)
    const params = { id: start.id }
    await designer.call(addEntityVersion, { params, query: { version: '2.0.0' } })
    await saveEditsOn(designer, await openState(designer, start.id), [described('Only in the latest version.')])
    const [operationId, query, version] = [newUid(), { answer: 'document' as const }, '1.0.0']
    const edits: EntityEdit[] = [{ kind: 'changeScopes', change: { selectOperationScopes: ['read'] } }]
    const body = { format: editFormat, operationId, base: start.etag, version, edits }
    const saved = await designer.callWithTag(entityEdits.save, { params, query, body })
    const shown = await designer.callWithTag(getEntity, { params, query: { version } })
    expect(saved).toMatchObject({ ...shown, answer: { entry: { version } } })
    expect(saved.answer.entity).toMatchObject({ currentVersion: version, description: start.content.description })
    const settled = await designer.callWithTag(entityEdits.settle, { params: { ...params, operationId }, query })
    expect(settled).toEqual({ answer: { result: saved.answer }, etag: saved.etag })
  })
})

describe('POST manifest/{id}/edits', () => {
  const bodyOf = (base: string, edits: readonly ManifestEdit[], more: object = {}) => ({
    format: editFormat,
    operationId: newUid(),
    base,
    edits: [...edits],
    ...more,
  })
  const named = (name: string): ManifestEdit => ({ kind: 'changeManifest', change: { name } })

  it('renames, adds members in place and sub-manifests, with the entries and rules of the documented calls', async () => {
    const [start, sub, member] = [await manifest(), await manifest(), await entity()]
    const params = { id: start.id }
    const name = `Renamed${++count}`
    const edits: ManifestEdit[] = [
      named(name),
      { kind: 'addMembers', added: [{ item: { id: member.id, type: 'TEMPLATE' }, before: null }] },
      { kind: 'addSubManifests', added: [{ item: sub.id, before: null }] },
    ]
    const refused = await designer.refusal(manifestEdits.save, { params, body: bodyOf(start.etag, edits) })
    expect(refused).toMatchObject({ status: 403, answer: { document: { kind: 'manifest', id: start.id } } })
    const operationId = newUid()
    const body = bodyOf(start.etag, edits, { operationId })
    const first = await admin.callWithTag(manifestEdits.save, { params, body })
    const now = await openedManifest(start.id)
    expect(now).toMatchObject({
      etag: first.etag,
      manifest: { name, entityPaths: [{ id: member.id }], subManifestPaths: [{ id: sub.id }] },
    })
    expect(first.answer.content).toMatchObject({
      name,
      entities: [{ id: member.id, type: 'TEMPLATE' }],
      subManifests: [sub.id],
    })
    expect(first.answer.entry).toMatchObject({
      before: start.etag,
      edits: [named(name)],
      document: { kind: 'manifest' },
    })
    const query = { answer: 'document' as const }
    const whole = await admin.call(manifestEdits.settle, { params: { ...params, operationId }, query })
    expect(whole.result?.manifest).toEqual(now.manifest)
    const { entries } = await designer.call(manifestEdits.list, { params })
    expect(entries.flatMap(entry => entry.edits ?? [])).toEqual(edits)
    expect(await admin.callWithTag(manifestEdits.save, { params, body })).toEqual(first)
    const settled = await admin.call(manifestEdits.settle, { params: { ...params, operationId } })
    expect(settled.result?.content).toEqual(first.answer.content)
  })

  it('answers a renamed large manifest even if the queue rejects other reads', async () => {
    const { id } = await manifest()
    const customProperties = Array.from({ length: 50 }, (_, n) => ({ name: `p${n}`, value: 'x'.repeat(3900) }))
    const body = { packageProperties: { customProperties } }
    await designer.call(saveManifestConfiguration, { params: { id }, body, ifMatch: '*' })
    const run = vi.spyOn(server.context.workers, 'run').mockRejectedValue(new ApiError(503, 'busy', 'Busy.'))
    const renamed = { params: { id }, query: { answer: 'document' as const }, body: bodyOf('*', [named('Large')]) }
    expect((await designer.call(manifestEdits.save, renamed)).manifest?.name).toBe('Large')
    const again = { params: { id }, body: { manifestName: 'Larger' }, ifMatch: '*' }
    expect((await designer.call(updateManifest, again)).manifest.name).toBe('Larger')
    run.mockRestore()
  })

  it('merges with other saves: what both did is done once, a name changed by both is a conflict', async () => {
    const start = await manifest()
    const [one, other] = [await entity(start.id), await entity(start.id)]
    const params = { id: start.id }
    const { etag } = await openedManifest(start.id)
    const removal = (...ids: number[]): ManifestEdit => ({ kind: 'removeMembers', ids })
    await designer.call(manifestEdits.save, { params, body: bodyOf(etag, [removal(one.id)]) })
    const { answer } = await designer.callWithTag(manifestEdits.save, {
      params,
      body: bodyOf(etag, [removal(one.id, other.id)]),
    })
    expect(answer.content?.entities).toEqual([])
    expect((await designer.refusal(getEntity, { params: { id: other.id } })).status).toBe(404)
    await designer.call(manifestEdits.save, { params, body: bodyOf(etag, [named(`Theirs${++count}`)]) })
    const conflict = await designer.refusal(manifestEdits.save, { params, body: bodyOf(etag, [named('Mine')]) })
    expect(conflict).toMatchObject({
      status: 409,
      answer: { code: 'conflict', conflicts: [{ field: 'name', mine: 'Mine' }] },
    })
  })

  it('rejects edits made for a frozen or missing version', async () => {
    const start = await manifest()
    const params = { id: start.id }
    await designer.call(addManifestVersion, { params, query: { version: '2.0.0' } })
    const refuse = async (version: string) => {
      const body = bodyOf('*', [named(`Versioned${++count}`)], { version })
      const { status, answer } = await designer.refusal(manifestEdits.save, { params, body })
      return [status, answer.code]
    }
    expect(await refuse('1.0.0')).toEqual([403, 'locked'])
    expect(await refuse('9.0.0')).toEqual([404, 'not_found'])
    expect((await openedManifest(start.id)).manifest.name).toBe(start.manifest.name)
  })

  it('answers the final state after as many changes as allowed', async () => {
    const { id } = await manifest()
    const ids: number[] = []
    for (let index = 0; index < 100; index++) ids.push((await entity(id)).id)
    const name = `Emptied${++count}`
    const edits: ManifestEdit[] = [named(name), { kind: 'removeMembers', ids }]
    const { answer, etag } = await designer.callWithTag(manifestEdits.save, {
      params: { id },
      body: bodyOf('*', edits),
    })
    expect(answer.content).toMatchObject({ name, entities: [] })
    expect(etag).toBe((await openedManifest(id)).etag)
  })

  it('refuses copies, read-only fields and unknown bases', async () => {
    const [start, member] = [await manifest(), await entity()]
    const refuse = async (edit: ManifestEdit, base = start.etag) => {
      const { status, answer } = await admin.refusal(manifestEdits.save, {
        params: { id: start.id },
        body: bodyOf(base, [edit]),
      })
      return [status, answer.errors?.[0]?.path]
    }
    const copy: ManifestEdit = {
      kind: 'addMembers',
      added: [{ item: { id: member.id, type: 'EXCLUSIVE' }, before: null }],
    }
    expect(await refuse(copy)).toEqual([400, 'entities'])
    expect(await refuse({ kind: 'changeManifest', change: { description: 'x' } })).toEqual([400, 'description'])
    expect(await refuse({ kind: 'addSubManifests', added: [{ item: start.id, before: null }] })).toEqual([
      400,
      'subManifests',
    ])
    expect(await refuse(named('a__b'))).toEqual([400, 'name'])
    expect(await refuse(named('Other'), member.etag)).toEqual([409, undefined])
    const many: ManifestEdit = {
      kind: 'addSubManifests',
      added: Array.from({ length: 101 }, (_, index) => ({ item: 1e9 + index, before: null })),
    }
    expect(await refuse(many)).toEqual([400, 'edits'])
    expect(await openedManifest(start.id)).toEqual(start)
  })
})

describe('POST changes', () => {
  const url = { path: ['packageProperties', 'connectionPoolInfo', 'url'], value: 'together' }
  const changes = (...list: readonly object[]) => ({
    body: { format: editFormat, operationId: newUid(), changes: list as never },
  })

  it('answers 404 to a repeated operation whose document was deleted since', async () => {
    const start = await entity()
    const input = changes({ kind: 'entity', id: start.id, base: start.etag, edits: [described('stored')] })
    await designer.call(saveChanges, input)
    await designer.call(deleteEntity, { params: { id: start.id } })
    expect(await designer.refusal(saveChanges, input)).toMatchObject({ status: 404, answer: { code: 'not_found' } })
  })

  it('stores several documents as one change, with a tag each', async () => {
    const [one, two, owner] = [await entity(), await entity(), await manifest()]
    const configuration = {
      kind: 'configuration',
      id: owner.id,
      base: '*',
      edits: [{ kind: 'changeConfiguration', changes: [url] }],
    }
    const input = changes({ kind: 'entity', id: one.id, base: one.etag, edits: [described('a')] }, configuration, {
      kind: 'entity',
      id: two.id,
      base: two.etag,
      edits: [described('b')],
    })
    const answer = await designer.call(saveChanges, input)
    expect(answer.results.map(({ entry }) => entry?.document.kind)).toEqual(['entity', 'configuration', 'entity'])
    expect(new Set(answer.results.map(({ entry }) => entry?.changeId)).size).toBe(1)
    expect(await Promise.all([one, two].map(({ id }) => descriptionOf(id)))).toEqual(['a', 'b'])
    const { etag } = await designer.callWithTag(getManifestConfiguration, { params: { id: owner.id } })
    expect(answer.results[1]?.etag).toBe(etag)
    const settling = {
      params: { id: owner.id, operationId: input.body.operationId },
      query: { answer: 'document' as const },
    }
    const { result } = await designer.call(configurationEdits.settle, settling)
    expect(result?.manifestProperties).toEqual(answer.results[1]?.content)
    await designer.call(entityEdits.save, {
      params: { id: one.id },
      body: { format: editFormat, operationId: newUid(), base: '*', edits: [described('later')] },
    })
    expect(await designer.call(saveChanges, input)).toEqual(answer)
    const { operationId } = input.body
    const settled = await designer.call(entityEdits.settle, { params: { id: two.id, operationId } })
    expect(settled.result?.entry).toEqual(answer.results[2]?.entry)
  })

  it('stores the cause of each document, which must be an entry of its log', async () => {
    const [one, two] = [await entity(), await entity()]
    const edited = async ({ id, etag }: { id: number; etag: string }) => {
      const body = { format: editFormat, operationId: newUid(), base: etag, edits: [described('a')] }
      return (await designer.call(entityEdits.save, { params: { id }, body })).entry?.sequence ?? 0
    }
    const sequences = [await edited(one), await edited(two)]
    const undo = (id: number, sequence?: number) => ({
      kind: 'entity',
      id,
      base: '*',
      edits: [described('')],
      cause: { kind: 'undo', sequence },
    })
    const { results } = await designer.call(
      saveChanges,
      changes(undo(one.id, sequences[0]), undo(two.id, sequences[1])),
    )
    expect(results.map(({ entry }) => entry?.cause)).toEqual(sequences.map(sequence => ({ kind: 'undo', sequence })))
    const { answer } = await designer.refusal(saveChanges, changes(undo(one.id, sequences[1])))
    expect(answer).toMatchObject({ errors: [{ path: 'cause.sequence' }], document: { id: one.id } })
    expect((await designer.refusal(saveChanges, changes(undo(999_999_999, sequences[1])))).status).toBe(404)
  })

  it('moves columns between entities with uid and traits, and both entries name the move', async () => {
    const [{ id, etag, content }, target] = [await createState(designer), await entity()]
    const [, code, title] = content.typeAttributes
    const uids = [code!.uid, title!.uid]
    const typeAttributes = content.typeAttributes.map(item => (item === code ? { ...item, traits: ['is.code'] } : item))
    const body = { id, content: JSON.stringify({ ...content, typeAttributes }) }
    await admin.call(adminUpdateEntityContent, { body, ifMatch: etag })
    const added = [
      { item: { ...code, position: 5 }, before: null },
      { item: { ...title, name: 'headline', position: 6 }, before: null },
    ]
    const addition = { kind: 'entity', id: target.id, base: target.etag, edits: [{ kind: 'addAttributes', added }] }
    const { answer } = await designer.refusal(saveChanges, changes(addition))
    expect(answer.errors?.map(({ message }) => message)).toEqual(uids.map(uid => `The uid "${uid}" is already in use.`))
    const removal = { kind: 'entity', id, base: '*', edits: [{ kind: 'removeAttributes', uids }] }
    const { results } = await designer.call(saveChanges, changes(removal, addition))
    const now = await openState(designer, target.id)
    expect(now.content.typeAttributes.slice(1)).toMatchObject([
      { uid: uids[0], name: 'code', traits: ['is.code'] },
      { uid: uids[1], name: 'headline', traits: [] },
    ])
    expect((await openState(designer, id)).content.typeAttributes.map(({ name }) => name)).not.toContain('code')
    expect(results.map(({ entry }) => entry?.description)).toEqual([
      `Removed attribute code; removed attribute title; moved code, title to ${target.name}`,
      `Added attribute code; added attribute headline; moved code, title from ${content.name}`,
    ])
  })

  it('moves nothing if the entity that gains the columns is refused', async () => {
    const [source, target] = [await createState(designer), await createState(designer)]
    const [, item] = source.content.typeAttributes
    const removal = { kind: 'removeAttributes', uids: [item!.uid] }
    const addition = { kind: 'addAttributes', added: [{ item: { ...item, position: 9 }, before: null }] }
    const refusal = await designer.refusal(
      saveChanges,
      changes(
        { kind: 'entity', id: source.id, base: source.etag, edits: [removal] },
        { kind: 'entity', id: target.id, base: target.etag, edits: [addition] },
      ),
    )
    expect(refusal).toMatchObject({ status: 400, answer: { document: { kind: 'entity', id: target.id } } })
    expect((await openState(designer, source.id)).etag).toBe(source.etag)
  })

  it('stores nothing if one document is refused, and names it', async () => {
    const [one, two] = [await entity(), await entity()]
    const good = { kind: 'entity', id: one.id, base: one.etag, edits: [described('a')] }
    const refuse = async (...list: readonly object[]) => {
      const { status, answer } = await designer.refusal(saveChanges, changes(...list))
      return { status, code: answer.code, document: answer.document }
    }
    const document = { kind: 'entity', id: two.id }
    const renamed = { ...good, ...document, edits: [{ kind: 'changeEntity', change: { name: one.name } }] }
    expect(await refuse(good, { ...renamed, base: two.etag })).toEqual({ status: 400, code: 'invalid', document })
    expect(await refuse(good, { ...good, ...document, base: 'f'.repeat(64) })).toEqual({
      status: 409,
      code: 'conflict',
      document,
    })
    const missing = { kind: 'entity', id: 1e9 }
    expect(await refuse(good, { ...good, ...missing })).toEqual({ status: 404, code: 'not_found', document: missing })
    expect(await refuse(good, good)).toMatchObject({ status: 400 })
    expect(await refuse(good, { ...good, ...document, base: undefined })).toMatchObject({ status: 428, document })
    const removal = (id: number) => ({
      kind: 'manifest',
      id,
      base: '*',
      edits: [{ kind: 'removeMembers', ids: Array.from({ length: 60 }, (_, index) => 1e9 + index) }],
    })
    expect(await refuse(removal(1e9), removal(1e9 + 1))).toMatchObject({ status: 400, code: 'invalid' })
    const many = Array.from({ length: 4 }, (_, index) => ({
      ...good,
      id: index + 1,
      edits: Array.from({ length: 150 }, () => described('x')),
    }))
    expect(await refuse(...many)).toMatchObject({ status: 400, code: 'invalid' })
    expect(await descriptionOf(one.id)).toBe('')
  })

  it('omits contents after the first large ones, and answers all tags', async () => {
    const choices = Array.from({ length: 10_000 }, (_, index) => `${index} ${'x'.repeat(425)}`)
    const large: { id: number; etag: string }[] = []
    for (let index = 0; index < 3; index++) {
      const body = { entity: { name: `Large${++count}`, typeAttributes: [{ name: 'code', choices }] } }
      const { answer, etag } = await designer.callWithTag(createEntity, { body })
      large.push({ id: answer.entity.id, etag })
    }
    const unchanged = large.map(({ id, etag }) => ({ kind: 'entity', id, base: etag, edits: [] }))
    const { results } = await designer.call(saveChanges, changes(...unchanged))
    expect(results.map(({ content, etag }) => [content !== null, etag])).toEqual(
      large.map(({ etag }, index) => [index < 2, etag]),
    )
  })
})
