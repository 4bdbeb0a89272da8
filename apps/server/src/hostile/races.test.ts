import type { Call } from '@cadmus/model/contract/call'
import {
  addEntityVersion,
  addRelationship,
  createEntity,
  deleteEntity,
  deleteEntityVersion,
  getEntity,
  listEntities,
  listEntityLogs,
  updateEntity,
} from '@cadmus/model/contract/entity'
import { type EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import {
  addEntitiesToManifest,
  addManifestVersion,
  addSubManifests,
  createManifest,
  createManifestByWizard,
  deleteManifest,
  deleteManifestVersion,
  getManifest,
  listManifestLogs,
  listManifests,
  removeEntityFromManifest,
  removeSubManifest,
} from '@cadmus/model/contract/manifest'
import { importManifest } from '@cadmus/model/contract/manifest-transfer'
import { holds } from '@cadmus/testing/holds'
import { isProving } from '@cadmus/testing/proof'
import { resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { countTopManifests } from '../store/manifest.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, aRelationship, organisationId, saveBody } from '../testing/entities.ts'
import { countOwned, cycles } from '../testing/race-outcomes.ts'
import { expectRejection } from '../testing/rejections.ts'
import { zipFolder } from '../testing/zip-folder.ts'

/** Repetitions of each race, to detect rare failures. */
const rounds = isProving() ? [1, 2, 3, 4] : [1, 2]
const parallel = [0, 1, 2, 3]

type CallInput = Parameters<ConsoleClient['send']>[1]

describeOnBothStores('Races', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let other: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    other = await server.as('newcomer', 'ACME')
  })
  afterAll(() => server.stop())
  beforeEach(() => server.advance(4000))

  let made = 0
  const name = (what: string) => `${what}${++made}`
  const entity = async (given: object = {}) =>
    (await designer.call(createEntity, { body: { entity: { name: name('Entity') }, ...given } })).entity
  const read = async (id: number) => (await designer.call(getEntity, { params: { id } })).entity
  const etagOf = async (id: number) => (await designer.callWithTag(getEntity, { params: { id } })).etag

  /** Sends all calls concurrently, alternating between two users. Every rejection must have a message. */
  async function race(calls: readonly (readonly [Call, CallInput])[]) {
    const answers = await Promise.all(
      calls.map(([call, given], index) => (index % 2 === 0 ? designer : other).send(call, given)),
    )
    const messages: string[] = []
    for (const answer of answers) if (!answer.ok) messages.push((await expectRejection(answer)).message)
    return { done: answers.filter(answer => answer.ok).length, messages, statuses: answers.map(({ status }) => status) }
  }

  /** Number of audit entries of an object. */
  async function entries(kind: 'entity' | 'manifest', targetId: number): Promise<number> {
    const { context } = server
    const organisation = await organisationId(server)
    const rows = await context.store
      .of(organisation)
      .selectFrom('audit_entry')
      .select('id')
      .where('organisation_id', '=', organisation)
      .where('target_id', '=', targetId)
      .where('kind', '=', kind === 'entity' ? 'ENTITY' : 'MANIFEST')
      .execute()
    return rows.length
  }

  it.each(rounds)('one of the concurrent creations of a name in a manifest wins (%s)', holds('E5.10'), async () => {
    const manifest = await addManifest(server, name('Names'))
    const body = { entity: { name: 'Customer' }, targetManifestId: manifest }
    const spelled = ['Customer', 'customer', 'CUSTOMER', ' Customer'].slice(0, 3)
    const { done, messages } = await race(
      [...spelled, 'Customer'].map(given => [createEntity, { body: { ...body, entity: { name: given } } }]),
    )
    expect(done).toBe(1)
    for (const message of messages) expect(message).toMatch(/^An entity with the name "customer" already exists\.$/i)
    const { manifest: after } = await designer.call(getManifest, { params: { id: manifest } })
    expect(after.entityPaths).toHaveLength(1)
    expect(await entries('manifest', manifest)).toBe(1)
  })

  it.each(rounds)('one of the concurrent renames to a name in a manifest wins (%s)', holds('E5.10'), async () => {
    const manifest = await addManifest(server, name('Renames'))
    const members = await Promise.all(parallel.map(() => entity({ targetManifestId: manifest })))
    const { done, messages } = await race(
      members.map(member => [
        updateEntity,
        { params: { id: member.id }, body: saveBody(member, { name: 'SameName' }), ifMatch: '*' },
      ]),
    )
    expect([done, messages]).toEqual([1, Array(3).fill('An entity with the name "SameName" already exists.')])
  })

  it.each(rounds)('one of the concurrent manifests with the same name wins (%s)', holds('M5.4'), async () => {
    const manifestName = name('SameManifest')
    const { done, messages } = await race(parallel.map(() => [createManifest, { body: { manifestName } }]))
    expect([done, messages]).toEqual([1, Array(3).fill(`A manifest with the name "${manifestName}" already exists.`)])
    const { manifests } = await designer.call(listManifests, { query: { search: manifestName } })
    expect(manifests).toHaveLength(1)
  })

  it('the manifest limit applies to concurrent creations', async () => {
    const { shared } = server.context.store
    const organisation = await organisationId(server)
    const licence = (limits: string) =>
      shared.updateTable('organisation').set({ licence_limits: limits }).where('id', '=', organisation).execute()
    const present = await countTopManifests(server.context.store.of(organisation), organisation)
    const limit = present + 1
    await licence(`mc=${limit}|rs=1|gqls=1|db=postgresql`)
    const { done, messages } = await race(
      parallel.map(() => [createManifest, { body: { manifestName: name('Limited') } }]),
    )
    await licence('mc=5000|rs=1|gqls=1|db=mysql~hsql~oracle~postgresql~mssql')
    expect([done, messages]).toEqual([
      1,
      Array(3).fill(`Manifest limit of ${limit} reached. There are ${limit} now; 1 more was requested.`),
    ])
  })

  it.each(rounds)('concurrent saves of different fields are merged, each with its audit entry (%s)', async () => {
    const { id } = await entity({ entity: { name: name('Merged'), typeAttributes: [{ name: 'aa' }, { name: 'bb' }] } })
    const base = await read(id)
    const ifMatch = await etagOf(id)
    const described = (attribute: string) =>
      saveBody(base, {
        typeAttributes: saveBody(base).entity.typeAttributes?.map(item =>
          item.name === attribute ? { ...item, description: `new ${attribute}` } : item,
        ),
      })
    const { statuses } = await race([
      [updateEntity, { params: { id }, body: described('aa'), ifMatch }],
      [updateEntity, { params: { id }, body: described('bb'), ifMatch }],
      [updateEntity, { params: { id }, body: saveBody(base, { description: 'new entity' }), ifMatch }],
    ])
    expect(statuses).toEqual([200, 200, 200])
    const after = await read(id)
    expect(after.description).toBe('new entity')
    expect(descriptionsOf(after)).toMatchObject({ aa: 'new aa', bb: 'new bb' })
    expect(await entries('entity', id)).toBe(4)
  })

  it.each(rounds)('one of the concurrent saves of a field wins, the others are conflicts (%s)', async () => {
    const base = await entity()
    const ifMatch = await etagOf(base.id)
    const answers = await Promise.all(
      parallel.map(index =>
        designer.send(updateEntity, {
          params: { id: base.id },
          body: saveBody(base, { description: `mine ${index}` }),
          ifMatch,
        }),
      ),
    )
    const refusals = await Promise.all(answers.filter(answer => !answer.ok).map(expectRejection))
    expect(refusals.map(({ status, conflicts }) => [status, conflicts?.[0]?.field])).toEqual(
      Array(3).fill([409, 'description']),
    )
    expect(await entries('entity', base.id)).toBe(2)
  })

  it.each(rounds)('one of the concurrent additions of a version wins (%s)', async () => {
    const { id } = await entity()
    const manifest = await addManifest(server, name('Versions'))
    for (const [call, kind, target] of [
      [addEntityVersion, 'entity', id],
      [addManifestVersion, 'manifest', manifest],
    ] as const) {
      const before = await entries(kind, target)
      const given = { params: { id: target }, query: { version: '2.0.0' } }
      const { done, messages } = await race(parallel.map(() => [call, given]))
      expect([done, messages]).toEqual([1, Array(3).fill('Version 2.0.0 already exists.')])
      expect(await entries(kind, target)).toBe(before + 1)
    }
    expect(await read(id)).toMatchObject({ versions: ['2.0.0', '1.0.0'], latestVersion: '2.0.0' })
  })

  it.each(rounds)('concurrently added versions are all kept in the order of their additions (%s)', async () => {
    const { id } = await entity()
    const versions = ['2.0.0', '3.0.0', '4.0.0', '5.0.0']
    const { done } = await race(versions.map(version => [addEntityVersion, { params: { id }, query: { version } }]))
    const after = await read(id)
    expect(after.versions).toHaveLength(done + 1)
    expect(after.versions.toSorted().reverse()).toEqual(after.versions)
    expect(after.latestVersion).toBe('5.0.0')
    expect(await entries('entity', id)).toBe(done + 1)
  })

  it.each(rounds)(
    'one of the concurrent deletions of a version, entity or membership wins, with one audit entry (%s)',
    async () => {
      const { id } = await entity()
      const manifest = await addManifest(server, name('Deleted'))
      const sub = await addManifest(server, name('DeletedSub'))
      await designer.call(addSubManifests, { params: { id: manifest }, body: { submanifests: [sub] } })
      const member = await entity({ targetManifestId: manifest })
      await designer.call(addEntityVersion, { params: { id }, query: { version: '2.0.0' } })
      await designer.call(addManifestVersion, { params: { id: manifest }, query: { version: '2.0.0' } })
      for (const [call, given, kind, target] of [
        [deleteEntityVersion, { params: { id }, query: { version: '1.0.0' } }, 'entity', id],
        [deleteManifestVersion, { params: { id: manifest }, query: { version: '1.0.0' } }, 'manifest', manifest],
        [removeSubManifest, { params: { id: manifest, subId: sub } }, 'manifest', manifest],
        [removeEntityFromManifest, { params: { id: manifest, entityId: member.id } }, 'entity', member.id],
        [deleteEntity, { params: { id } }, 'entity', id],
        [deleteManifest, { params: { id: manifest } }, 'manifest', manifest],
      ] as const) {
        const before = await entries(kind, target)
        const { done, statuses } = await race(parallel.map(() => [call, given]))
        expect([call.id, done, statuses.toSorted()]).toEqual([call.id, 1, [200, 404, 404, 404]])
        expect([call.id, await entries(kind, target)]).toEqual([call.id, before + 1])
      }
    },
  )

  it.each(rounds)('two manifests cannot become sub-manifests of each other (%s)', holds('M3.4'), async () => {
    const [a, b, c] = [
      await addManifest(server, name('CycleA')),
      await addManifest(server, name('CycleB')),
      await addManifest(server, name('CycleC')),
    ]
    const edge = (from: number, to: number): [Call, CallInput] => [
      addSubManifests,
      { params: { id: from }, body: { submanifests: [to] } },
    ]
    const pair = await race([edge(a, b), edge(b, a)])
    expect(pair.done).toBe(1)
    expect(pair.messages[0]).toMatch(/^Cycle[AB]\d+ already contains Cycle[AB]\d+\.$/)
    await race([edge(b, c), edge(c, a), edge(a, b), edge(c, b)])
    for (const id of [a, b, c]) await designer.call(getManifest, { params: { id } })
    expect(await cycles([a, b, c], async id => subsOf(designer, id))).toEqual([])
  })

  it.each(rounds)('two entities cannot extend each other (%s)', async () => {
    const ring = await Promise.all([0, 1, 2].map(() => entity()))
    const { done } = await race(
      ring.map((item, index) => [
        updateEntity,
        {
          params: { id: item.id },
          body: saveBody(item, { extendsEntity: { id: ring[(index + 1) % 3]?.id ?? 0 } }),
          ifMatch: '*',
        },
      ]),
    )
    expect(done).toBe(2)
    const parents = async (id: number) => [(await read(id)).extendsEntity?.id ?? -1].filter(parent => parent > 0)
    expect(
      await cycles(
        ring.map(item => item.id),
        parents,
      ),
    ).toEqual([])
  })

  it.each(rounds)('an entity is added to a manifest once (%s)', async () => {
    const source = await entity()
    const manifest = await addManifest(server, name('Once'))
    const given = { params: { id: manifest }, body: { entityIds: [source.id] } }
    const { done, messages } = await race(parallel.map(() => [addEntitiesToManifest, given]))
    expect([done, messages]).toEqual([1, Array(3).fill(`An entity with the name "${source.name}" already exists.`)])
    const { manifest: after } = await designer.call(getManifest, { params: { id: manifest } })
    expect(after.entityPaths).toHaveLength(1)
  })

  it.each(rounds)('no entity is left of a concurrently deleted manifest (%s)', async () => {
    const manifest = await addManifest(server, name('Vanishing'))
    const source = await entity()
    const names = parallel.map(() => name('Orphan'))
    await race([
      [createEntity, { body: { entity: { name: names[0] }, targetManifestId: manifest } }],
      [deleteManifest, { params: { id: manifest } }],
      [createEntity, { body: { entity: { name: names[1] }, targetManifestId: manifest } }],
      [addEntitiesToManifest, { params: { id: manifest }, body: { entityIds: [source.id] } }],
    ])
    expect((await designer.send(getManifest, { params: { id: manifest } })).status).toBe(404)
    const rows = await countOwned(server, manifest)
    expect(rows).toEqual({ entities: 0, members: 0 })
  })

  it.each(rounds)('a concurrently deleted entity remains in no manifest that lists it in place (%s)', async () => {
    const admin = await server.as('admin', 'ACME')
    const source = await entity()
    const manifest = await addManifest(server, name('InPlace'))
    const body = { entityIds: [source.id], type: 'TEMPLATE' }
    const [, deleted] = await Promise.all([
      admin.send(addEntitiesToManifest, { params: { id: manifest }, body }),
      designer.send(deleteEntity, { params: { id: source.id } }),
    ])
    const { manifest: after } = await designer.call(getManifest, { params: { id: manifest } })
    // If it was linked first, its deletion is rejected: the request must decide about the membership.
    const isRefused = deleted.status === 409
    expect(after.entityPaths.map(({ id }) => id)).toEqual(isRefused ? [source.id] : [])
    expect(await countOwned(server, manifest)).toEqual({ entities: 0, members: isRefused ? 1 : 0 })
  })

  it('a name used in another manifest that lists the entity in place is rejected', async () => {
    const admin = await server.as('admin', 'ACME')
    const source = await entity()
    const taken = name('TakenThere')
    const there = await addManifest(server, name('There'))
    await entity({ entity: { name: taken }, targetManifestId: there })
    await admin.call(addEntitiesToManifest, {
      params: { id: there },
      body: { entityIds: [source.id], type: 'TEMPLATE' },
    })
    const renaming = { params: { id: source.id }, body: saveBody(source, { name: taken.toUpperCase() }), ifMatch: '*' }
    expect((await designer.refusal(updateEntity, renaming)).status).toBe(400)
    expect((await read(source.id)).name).toBe(source.name)
  })

  it.each(rounds)('an entity renamed while a manifest lists it in place has no name conflict there (%s)', async () => {
    const admin = await server.as('admin', 'ACME')
    const source = await entity()
    const taken = name('RacedName')
    const manifest = await addManifest(server, name('RacedPlace'))
    await entity({ entity: { name: taken }, targetManifestId: manifest })
    const body = { entityIds: [source.id], type: 'TEMPLATE' }
    const duplicate = { manifestName: name('RacedCopy'), duplicateManifest: manifest }
    const answers = await Promise.all([
      admin.send(addEntitiesToManifest, { params: { id: manifest }, body }),
      designer.send(updateEntity, { params: { id: source.id }, body: saveBody(source, { name: taken }), ifMatch: '*' }),
      designer.send(createManifestByWizard, { body: duplicate }),
      entity({ entity: { name: name('RacedNew') }, targetManifestId: manifest }),
    ])
    expect(answers.flatMap(answer => ('status' in answer && answer.status >= 500 ? [answer.status] : []))).toEqual([])
    const { manifest: after } = await designer.call(getManifest, { params: { id: manifest } })
    const folded = after.entityPaths.map(item => item.name.toLowerCase())
    expect(new Set(folded).size).toBe(folded.length)
    const isRenamed = (await read(source.id)).name === taken
    expect(isRenamed).toBe(!after.entityPaths.some(({ id }) => id === source.id))
  })

  /** Copies an entity during a change of its target: into a manifest in one transaction, and by duplication. */
  async function copiedDuring(change: (target: EntityAnswer) => [Call, CallInput]) {
    const target = await entity({ entity: { name: name('CopyTarget'), typeAttributes: [{ name: 'code' }] } })
    const source = await entity({
      entity: { name: name('CopySource'), entityAttributes: [aRelationship(target, 'codeId', 'code')] },
    })
    const manifests = await Promise.all(['CopiesA', 'CopiesB'].map(what => addManifest(server, name(what))))
    const copy = (id: number): [Call, CallInput] => [
      addEntitiesToManifest,
      { params: { id }, body: { entityIds: [source.id] } },
    ]
    const duplicate = { entity: { name: name('Duplicate') }, duplicateEntityId: source.id }
    const calls = [...manifests.map(copy), change(target), [createEntity, { body: duplicate }] as [Call, CallInput]]
    const { statuses } = await race(calls)
    expect(statuses.filter(status => status >= 500)).toEqual([])
    const { entity: all } = await designer.call(listEntities, { query: { filter: 'PRIVATE' } })
    const names = new Set([source.name, duplicate.entity.name])
    const copies = await Promise.all(all.filter(item => names.has(item.name)).map(item => read(item.id)))
    const { entity: resolved } = await designer.call(listEntities, { query: { filter: 'RESOLVED' } })
    return { target, copies, resolved: new Set(resolved.map(({ id }) => id)) }
  }

  it.each(rounds)('a copy made while its target is renamed shows the current names (%s)', async () => {
    const renamed = name('Renamed')
    const { target, copies, resolved } = await copiedDuring(item => {
      const typeAttributes = saveBody(item).entity.typeAttributes?.map(attribute =>
        attribute.name === 'code' ? { ...attribute, name: 'article' } : attribute,
      )
      return [
        updateEntity,
        { params: { id: item.id }, body: saveBody(item, { name: renamed, typeAttributes }), ifMatch: '*' },
      ]
    })
    const targets = copies.flatMap(({ entityAttributes }) =>
      entityAttributes.map(item => [
        item.associatedEntity.id,
        item.associatedEntity.name,
        item.associatedEntityTypeAttribute,
      ]),
    )
    expect(targets).toEqual(copies.map(() => [target.id, renamed, 'article']))
    expect(copies.filter(({ id }) => !resolved.has(id))).toEqual([])
  })

  it.each(rounds)(
    'a copy made while its target is deleted drops the relationship and keeps the column (%s)',
    async () => {
      const { copies, resolved } = await copiedDuring(({ id }) => [
        deleteEntity,
        { params: { id }, query: { onReferences: 'keep' } },
      ])
      const isOpen = ({ entityAttributes }: EntityAnswer) =>
        entityAttributes.some(({ associatedEntity }) => associatedEntity.id === -1)
      expect(copies.filter(isOpen)).toEqual([])
      expect(copies.filter(({ id }) => !resolved.has(id))).toEqual([])
      const kept = copies.map(({ typeAttributes }) => typeAttributes.some(item => item.name === 'codeId'))
      expect([...new Set(kept)]).toEqual([true])
    },
  )

  it.each(rounds)('a concurrently deleted manifest remains in no parent (%s)', async () => {
    const sub = await addManifest(server, name('Sub'))
    const parent = await addManifest(server, name('Parent'))
    const manifestName = name('NewParent')
    await race([
      [addSubManifests, { params: { id: parent }, body: { submanifests: [sub] } }],
      [deleteManifest, { params: { id: sub } }],
      [createManifest, { body: { manifestName, subManifests: [sub] } }],
    ])
    const organisation = await organisationId(server)
    const rows = await server.context.store
      .of(organisation)
      .selectFrom('manifest_sub_manifest')
      .select('manifest_id')
      .where('organisation_id', '=', organisation)
      .where('sub_manifest_id', '=', sub)
      .execute()
    expect(rows).toEqual([])
    expect(await subsOf(designer, parent)).toEqual([])
  })

  it.each(rounds)('only one of several concurrent relationships with one foreign key is added (%s)', async () => {
    const target = await entity()
    const source = await entity()
    const add = (key: string): [Call, CallInput] => [
      addRelationship,
      { params: { id: source.id }, body: aRelationship(target, key), ifMatch: '*' },
    ]
    const { done } = await race([add('sameId'), add('sameId'), add('oneId'), add('twoId')])
    expect(done).toBe(3)
    const keys = (await read(source.id)).entityAttributes.map(item => item.foreignKeyTypeAttribute)
    expect(keys.toSorted()).toEqual(['oneId', 'sameId', 'twoId'])
    expect(await entries('entity', source.id)).toBe(4)
  })

  it('two concurrent imports of one folder create two manifests, or one and a rejection', async () => {
    const bytes = zipFolder(resolve(import.meta.dirname, '../../../../journeys/data/clinic'))
    const present = (await designer.call(listEntities, { query: { filter: 'PRIVATE', limit: 1 } })).totalElements
    const files = { manifestFile: { name: 'clinic.zip', bytes } }
    const answers = await Promise.all([designer, other].map(client => client.send(importManifest, { files })))
    const taken = await Promise.all(
      answers.filter(answer => answer.ok).map(async answer => importManifest.answer.parse(await answer.json())),
    )
    const refusals = await Promise.all(answers.filter(answer => !answer.ok).map(expectRejection))
    expect(refusals.every(({ status }) => status === 409)).toBe(true)
    expect(taken.length).toBeGreaterThan(0)
    expect(new Set(taken.map(({ manifest }) => manifest.name)).size).toBe(taken.length)
    const { totalElements } = await designer.call(listEntities, { query: { filter: 'PRIVATE', limit: 1 } })
    expect(totalElements).toBe(present + taken.reduce((sum, { counts }) => sum + counts.entities, 0))
  })

  it('the log contains exactly the acknowledged changes', async () => {
    const { totalElements: before } = await designer.call(listEntityLogs, { query: { limit: 1 } })
    const { totalElements: manifestsBefore } = await designer.call(listManifestLogs, { query: { limit: 1 } })
    const { done } = await race(
      Array.from({ length: 40 }, (_, index) => [createEntity, { body: { entity: { name: name(`Log${index}`) } } }]),
    )
    expect(done).toBe(40)
    const { totalElements, entityLogs } = await designer.call(listEntityLogs, { query: { limit: 1000 } })
    expect(totalElements).toBe(before + 40)
    expect(new Set(entityLogs.map(entry => entry.ID)).size).toBe(entityLogs.length)
    const { totalElements: manifestsAfter } = await designer.call(listManifestLogs, { query: { limit: 1 } })
    expect(manifestsAfter).toBe(manifestsBefore)
    const { totalElements: found } = await designer.call(listEntities, { query: { search: 'Log', filter: 'PRIVATE' } })
    expect(found).toBe(40)
  })
})

function descriptionsOf(entity: EntityAnswer): Record<string, string> {
  return Object.fromEntries(entity.typeAttributes.map(item => [item.name, item.description]))
}

async function subsOf(client: ConsoleClient, id: number): Promise<number[]> {
  return (await client.call(getManifest, { params: { id } })).manifest.subManifestPaths.map(sub => sub.id)
}
