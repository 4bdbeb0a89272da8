import type { CallInput } from '@cadmus/model/contract/call'
import { addEntityVersion, createEntity, deleteEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { addEntitiesToManifest } from '@cadmus/model/contract/manifest'
import { readEntityContents } from '@cadmus/model/contract/contents'
import { entityForm } from '@cadmus/model/content'
import { entityOfState } from '@cadmus/model/entity-answer'
import { limits } from '@cadmus/model/limits'
import { readStored } from '@cadmus/model/stored/stored-form'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship, addManifest, addPredefined, type EntityBody } from '../testing/entities.ts'

type Known = NonNullable<CallInput<typeof readEntityContents>['body']['known']>

describeOnBothStores('Contents of the entities of a manifest', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const read = async (id: number, known: Known = []) =>
    designer.call(readEntityContents, { params: { id }, body: { known } })
  const create = async (targetManifestId: number, entity: EntityBody['entity']) =>
    (await designer.call(createEntity, { body: { entity, targetManifestId } })).entity
  const save = async (id: number, entity: Partial<EntityBody['entity']>) =>
    designer.call(updateEntity, { params: { id }, body: { entity }, ifMatch: '*' })
  const tagsOf = (entities: Awaited<ReturnType<typeof read>>['entities']) =>
    entities.map(({ id, tag }) => ({ id, tag }))

  it('say of each what a GET of it says', async () => {
    const [root, other] = [await addManifest(server, 'Contents'), await addManifest(server, 'ContentsOther')]
    const [outside, gone] = [await create(other, { name: 'Outside' }), await create(other, { name: 'Gone' })]
    const person = await create(root, { name: 'Person', typeAttributes: [{ name: 'born', dataType: 'string' }] })
    const student = await create(root, { name: 'Student', extendsEntity: { id: person.id } })
    const visit = await create(root, {
      name: 'Visit',
      entityAttributes: [aRelationship(student, 'who'), aRelationship(outside, 'where'), aRelationship(gone, 'why')],
    })
    await designer.call(deleteEntity, { params: { id: gone.id }, query: { onReferences: 'keep' } })
    await designer.call(addEntityVersion, { params: { id: visit.id }, query: { version: '2.0.0' } })
    const predefined = await addPredefined(server, { name: 'ContentsPredefined' })
    const members = { entityIds: [predefined], type: 'TEMPLATE' as const }
    await server.bootstrap('ACME').call(addEntitiesToManifest, { params: { id: root }, body: members })
    await save(predefined, { operationScopes: { selectOperationScopes: ['own'] } })

    const { ids, entities, more } = await read(root)
    expect([ids, more]).toEqual([[person.id, student.id, visit.id, predefined], false])
    expect(entities.map(({ id }) => id)).toEqual(ids)
    for (const state of entities) {
      const { answer, etag } = await designer.callWithTag(getEntity, { params: { id: state.id } })
      expect(entityOfState(state, readStored(entityForm, JSON.parse(state.content)))).toEqual(answer.entity)
      expect(state.etag).toBe(etag)
    }
  })

  it('are sent again only of those that changed, also by the name of what they refer to', async () => {
    const root = await addManifest(server, 'ContentsAgain')
    const [order, part] = [await create(root, { name: 'Order' }), await create(root, { name: 'Part' })]
    const line = await create(root, { name: 'Line', entityAttributes: [aRelationship(order, 'order')] })
    const first = await read(root)
    const known = tagsOf(first.entities)
    expect(await read(root, known)).toEqual({ ids: [order.id, part.id, line.id], entities: [], more: false })
    await save(part.id, { description: 'A piece' })
    expect((await read(root, known)).entities.map(({ id }) => id)).toEqual([part.id])
    await save(order.id, { name: 'Purchase' })
    const renamed = await read(root, known)
    expect(renamed.entities.map(({ id }) => id)).toEqual([order.id, part.id, line.id])
    expect(renamed.entities.at(-1)?.content).toContain('"Purchase"')
    await designer.call(deleteEntity, { params: { id: part.id } })
    expect((await read(root, tagsOf(renamed.entities))).ids).toEqual([order.id, line.id])
  })

  it('are sent again of a subtype if anything changed that it inherits from, also outside of the manifest', async () => {
    const [root, other] = [await addManifest(server, 'ContentsHeirs'), await addManifest(server, 'ContentsAncestors')]
    const being = await create(other, { name: 'Being' })
    const person = await create(other, { name: 'Person', extendsEntity: { id: being.id } })
    const student = await create(root, { name: 'Student', extendsEntity: { id: person.id } })
    const teacher = await create(root, { name: 'Teacher', extendsEntity: { id: person.id } })
    const room = await create(root, { name: 'Room' })
    const known = tagsOf((await read(root)).entities)
    expect((await read(root, known)).entities).toEqual([])
    await save(being.id, { typeAttributes: [{ name: 'born', dataType: 'string' }] })
    const changed = await read(root, known)
    expect(changed.ids).toEqual([student.id, teacher.id, room.id])
    expect(changed.entities.map(({ id }) => id)).toEqual([student.id, teacher.id])
    for (const { resolvedAttributes } of changed.entities)
      expect(resolvedAttributes?.find(({ name }) => name === 'born')?.declaredBy.id).toBe(being.id)
    expect((await read(root, tagsOf(changed.entities))).entities.map(({ id }) => id)).toEqual([room.id])
  })

  it('are no longer read for a caller who has left', async () => {
    const root = await addManifest(server, 'ContentsLeft')
    const left = Promise.withResolvers<unknown>()
    const begun = Promise.withResolvers<undefined>()
    const check = vi.spyOn(server.context.workers, 'check').mockImplementation(async (_name, _input, signal) => {
      signal?.addEventListener('abort', () => left.resolve(signal.reason), { once: true })
      begun.resolve(undefined)
      throw await left.promise
    })
    const caller = new AbortController()
    const path = readEntityContents.path.replace('{id}', String(root))
    const headers = { 'content-type': 'application/json', 'x-organisation-code': 'ACME' }
    const init = { method: 'POST', headers, body: '{}', signal: caller.signal }
    const answer = designer.browser.fetch(path, init)
    await begun.promise
    caller.abort()
    await expect(answer).rejects.toThrow()
    await expect(left.promise).resolves.toBeInstanceOf(Error)
    check.mockRestore()
  })

  it('come in parts if they are long', async () => {
    const root = await addManifest(server, 'ContentsLong')
    const description = 'x'.repeat(20_000)
    const typeAttributes = Array.from(
      { length: Math.ceil(limits.readContents.answer / 2 / description.length) },
      (_, index) => ({ name: `note${index}`, description }),
    )
    const ids: number[] = []
    for (const name of ['One', 'Two', 'Three', 'Four']) ids.push((await create(root, { name, typeAttributes })).id)
    const first = await read(root)
    expect([first.ids, first.more]).toEqual([ids, true])
    const second = await read(root, tagsOf(first.entities))
    expect(second.more).toBe(false)
    expect([...first.entities, ...second.entities].map(({ id }) => id)).toEqual(ids)
  })

  it('are answered 404 for a manifest of another organisation, and 400 for too many known states', async () => {
    const root = await addManifest(server, 'ContentsForeign')
    const outsider = await server.as('admin', 'CADMUS')
    const foreign = await outsider.refusal(readEntityContents, { params: { id: root }, body: {} })
    expect(foreign.status).toBe(404)
    const known = Array.from({ length: limits.readContents.entities + 1 }, (_, index) => ({ id: index + 1, tag: 'a' }))
    const tooMany = await designer.refusal(readEntityContents, { params: { id: root }, body: { known } })
    expect(tooMany.status).toBe(400)
  })

  it('are answered whole to a caller who claims repeated, foreign or invented states', async () => {
    const root = await addManifest(server, 'ContentsClaimed')
    const own = await create(root, { name: 'Own' })
    const elsewhere = await create(await addManifest(server, 'ContentsElsewhere'), { name: 'Elsewhere' })
    const [stored] = (await read(root)).entities
    const tag = stored?.tag ?? ''
    const invented = Array.from({ length: limits.readContents.entities - 3 }, (_, at) => ({ id: 1e9 + at, tag }))
    const claims = [...invented, { id: elsewhere.id, tag }, { id: own.id, tag }, { id: own.id, tag: '__proto__' }]
    expect(await read(root, claims)).toEqual({ ids: [own.id], entities: [stored], more: false })
    for (const known of [[{ id: own.id, tag: 'x'.repeat(61) }], [{ id: -1, tag }], [{ id: 1.5, tag }]])
      expect((await designer.refusal(readEntityContents, { params: { id: root }, body: { known } })).status).toBe(400)
  })
})
