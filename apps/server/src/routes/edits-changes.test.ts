import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entityEdits, manifestEdits, saveChanges } from '@cadmus/model/contract/edits'
import { createEntity, getEntity } from '@cadmus/model/contract/entity'
import {
  addManifestVersion,
  createManifest,
  getManifest,
  getManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import type { ManifestEdit } from '@cadmus/model/edits/manifest-edits'
import { newUid } from '@cadmus/model/uid'
import type { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'

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
    const { entries } = await designer.call(manifestEdits.list, { params })
    expect(entries.flatMap(entry => entry.edits ?? [])).toEqual(edits)
    expect(await admin.callWithTag(manifestEdits.save, { params, body })).toEqual(first)
    const settled = await designer.call(manifestEdits.settle, { params: { ...params, operationId } })
    expect(settled.result?.content).toEqual(first.answer.content)
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
    expect(answer.content.entities).toEqual([])
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
      'submanifests',
    ])
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
    await designer.call(entityEdits.save, {
      params: { id: one.id },
      body: { format: editFormat, operationId: newUid(), base: '*', edits: [described('later')] },
    })
    expect(await designer.call(saveChanges, input)).toEqual(answer)
    const { operationId } = input.body
    const settled = await designer.call(entityEdits.settle, { params: { id: two.id, operationId } })
    expect(settled.result?.entry).toEqual(answer.results[2]?.entry)
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
