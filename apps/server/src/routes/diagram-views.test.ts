import type { CallInput } from '@cadmus/model/contract/call'
import {
  changeDiagramView,
  createDiagramView,
  deleteDiagramView,
  listDiagramViews,
} from '@cadmus/model/contract/diagram'
import { createEntity, getEntity } from '@cadmus/model/contract/entity'
import {
  addManifestVersion,
  createManifestByWizard,
  deleteManifest,
  deleteManifestVersion,
  listManifestLogs,
  listManifests,
} from '@cadmus/model/contract/manifest'
import type { Placement } from '@cadmus/model/diagram/view'
import { newUid } from '@cadmus/model/uid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, organisationId } from '../testing/entities.ts'

const at = (x: number, y = 0, hidden = false): Placement => ({ x, y, hidden })

describeOnBothStores('Views of a diagram', store => {
  let server: TestConsole
  let ada: ConsoleClient
  let bob: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    ada = await server.as('designer')
    bob = server.bootstrap('ACME')
  })
  afterAll(() => server.stop())

  type Creation = Partial<CallInput<typeof createDiagramView>['body']>
  type Change = Partial<CallInput<typeof changeDiagramView>['body']>
  const creation = (id: number, body: Creation = {}) => ({
    params: { id },
    body: { operationId: newUid(), name: 'Overview', shared: true, ...body },
  })
  const create = async (client: ConsoleClient, id: number, body: Creation = {}) =>
    (await client.call(createDiagramView, creation(id, body))).view
  const changing = (id: number, uid: string, body: Change) => ({
    params: { id, uid },
    body: { operationId: newUid(), base: 1, ...body },
  })
  const change = async (client: ConsoleClient, id: number, uid: string, body: Change) =>
    client.call(changeDiagramView, changing(id, uid, body))
  const list = async (client: ConsoleClient, id: number, query: { version?: string; open?: string } = {}) =>
    client.call(listDiagramViews, { params: { id }, query })
  const names = async (client: ConsoleClient, id: number) => (await list(client, id)).views.map(view => view.name)

  it('the first shared view is the default, with its placements', async () => {
    const id = await addManifest(server, 'Placed')
    expect(await list(ada, id)).toEqual({ views: [], open: null })
    const placements = { a: at(-3, 7, true), b: at(10_000_000, -10_000_000) }
    const view = await create(ada, id, { placements, detail: 'keys' })
    expect(view).toMatchObject({ name: 'Overview', shared: true, detail: 'keys', revision: 1 })
    const other = await create(bob, id, { name: 'Billing', placements: { c: at(1) } })
    expect(await list(ada, id)).toEqual({ views: [view, other], open: { ...view, placements } })
    expect((await list(ada, id, { open: other.uid })).open?.placements).toEqual({ c: at(1) })
    expect((await list(ada, id, { open: 'unknown' })).open?.uid).toBe(view.uid)
  })

  it('two people who place different cards both succeed and see each other', async () => {
    const id = await addManifest(server, 'Together')
    const { uid } = await create(ada, id, { placements: { a: at(0), b: at(0), c: at(0) } })
    const first = await change(ada, id, uid, { changes: { a: at(1) } })
    expect(first).toMatchObject({ view: { revision: 2 }, changes: {}, refused: {} })
    const second = await change(bob, id, uid, { changes: { b: at(2), c: null }, name: 'Renamed', detail: 'names' })
    expect(second).toMatchObject({
      view: { revision: 3, name: 'Renamed', detail: 'names' },
      changes: { a: at(1) },
      refused: {},
    })
    const third = await change(ada, id, uid, { base: 2, changes: { d: at(4) } })
    expect(third.changes).toEqual({ b: at(2), c: null })
    expect((await list(ada, id)).open?.placements).toEqual({ a: at(1), b: at(2), d: at(4) })
  })

  it('a card that another user has changed since the base is refused with its placement, author and time', async () => {
    const id = await addManifest(server, 'Refused')
    const { uid } = await create(ada, id, { placements: { a: at(0), b: at(0), c: at(0) } })
    await change(bob, id, uid, { changes: { a: at(5), b: null } })
    const { view, changes, refused } = await change(ada, id, uid, { changes: { a: at(1), b: at(1), c: at(1) } })
    expect([view.revision, changes]).toEqual([3, {}])
    expect(Object.entries(refused).map(([card, { placement, by }]) => [card, placement, by])).toEqual([
      ['a', at(5), 'bootstrap'],
      ['b', null, 'bootstrap'],
    ])
    expect(Date.parse(refused['a']?.at ?? '')).toBeGreaterThan(0)
    expect((await list(ada, id)).open?.placements).toEqual({ a: at(5), c: at(1) })
    // Based on what was refused, it is accepted; own changes are never refused.
    await change(ada, id, uid, { base: 3, changes: { a: at(6) } })
    await change(ada, id, uid, { base: 1, changes: { a: at(7) } })
    expect((await list(ada, id)).open?.placements).toEqual({ a: at(7), c: at(1) })
  })

  it('a change based on a revision that the view does not have yet is refused as a whole', async () => {
    const id = await addManifest(server, 'Ahead')
    const { uid } = await create(ada, id, { placements: { a: at(0) } })
    await change(bob, id, uid, { changes: { a: at(5) } })
    const refusal = await ada.refusal(
      changeDiagramView,
      changing(id, uid, { base: 3, changes: { a: at(1), b: at(1) } }),
    )
    expect([refusal.status, refusal.answer.message]).toEqual([400, 'The view has no such revision yet.'])
    expect((await list(ada, id)).open).toMatchObject({ revision: 2, placements: { a: at(5) } })
  })

  it('concurrent changes of two people leave each card as one of them placed it and name the other', async () => {
    const id = await addManifest(server, 'Race')
    const { uid } = await create(ada, id)
    const cards = Array.from({ length: 30 }, (_, index) => `card${index}`)
    const all = (x: number) => Object.fromEntries(cards.map(card => [card, at(x)]))
    const answers = await Promise.all(
      [ada, bob].flatMap((client, x) =>
        cards.map(async card => change(client, id, uid, { changes: { [card]: at(x) } })),
      ),
    )
    const refused = answers.flatMap(answer => Object.keys(answer.refused))
    expect(refused.toSorted()).toEqual(cards.toSorted())
    const after = await list(ada, id)
    expect(after.open?.revision).toBe(31)
    const whole = await Promise.all([
      change(ada, id, uid, { changes: all(8) }),
      change(bob, id, uid, { changes: all(9) }),
    ])
    const last = (await list(ada, id)).open?.placements ?? {}
    for (const card of cards) expect([0, 1, 8, 9]).toContain(last[card]?.x)
    expect(Math.max(...whole.map(({ view }) => view.revision))).toBe((await list(ada, id)).open?.revision)
  })

  it('a repeated request changes nothing, and its id belongs to it and its user', async () => {
    const id = await addManifest(server, 'Repeated')
    const making = creation(id, { placements: { a: at(0) } })
    const sent = Array.from({ length: 8 }, async () => (await ada.call(createDiagramView, making)).view)
    const [one, ...others] = await Promise.all(sent)
    for (const other of others) expect(other).toEqual(one)
    expect(await names(ada, id)).toEqual(['Overview'])
    const uid = one?.uid ?? ''
    await change(bob, id, uid, { changes: { b: at(9) } })
    const moving = changing(id, uid, { changes: { a: at(1), b: at(1) } })
    const first = await ada.call(changeDiagramView, moving)
    await change(ada, id, uid, { changes: { a: at(2) } })
    const again = await ada.call(changeDiagramView, moving)
    expect(again.refused).toEqual(first.refused)
    expect(Object.keys(first.refused)).toEqual(['b'])
    expect(again.view.revision).toBe(4)
    expect(again.changes).toEqual({ a: at(2) })
    expect((await list(ada, id)).open?.placements).toEqual({ a: at(2), b: at(9) })
    const reused = { ...moving, body: { ...moving.body, changes: { a: at(3) } } }
    for (const refusal of [await ada.refusal(changeDiagramView, reused), await bob.refusal(changeDiagramView, moving)])
      expect([refusal.status, refusal.answer.code]).toEqual([409, 'operation_reused'])
  })

  it('personal views are seen and changed by their user only', async () => {
    const id = await addManifest(server, 'Personal')
    const own = await create(ada, id, { name: 'Mine', shared: false, placements: { a: at(1) } })
    expect(await names(bob, id)).toEqual([])
    expect((await list(ada, id)).open).toBeNull()
    expect((await list(ada, id, { open: own.uid })).open?.placements).toEqual({ a: at(1) })
    for (const refusal of [
      await bob.refusal(changeDiagramView, changing(id, own.uid, { changes: { a: at(2) } })),
      await bob.refusal(deleteDiagramView, { params: { id, uid: own.uid } }),
      await ada.refusal(deleteDiagramView, { params: { id: await addManifest(server, 'Beside'), uid: own.uid } }),
    ])
      expect(refusal.status).toBe(404)
    // Its name may be used by others and by shared views.
    await create(bob, id, { name: 'Mine', shared: false })
    await create(ada, id, { name: 'mine', shared: true })
    expect(await names(ada, id)).toEqual(['mine', 'Mine'])
    await ada.call(deleteDiagramView, { params: { id, uid: own.uid } })
    expect(await names(ada, id)).toEqual(['mine'])
    expect((await ada.refusal(deleteDiagramView, { params: { id, uid: own.uid } })).status).toBe(404)
  })

  it('a predefined manifest has personal views only', async () => {
    const { manifests } = await ada.call(listManifests, { query: { filter: 'DEFAULT', limit: 1 } })
    const id = manifests[0]?.id ?? -1
    const refusal = await ada.refusal(createDiagramView, creation(id))
    expect([refusal.status, refusal.answer.code]).toEqual([403, 'locked'])
    const own = await create(ada, id, { shared: false, placements: { a: at(1) } })
    await change(ada, id, own.uid, { changes: { a: at(2) } })
    expect((await list(ada, id, { open: own.uid })).open?.placements).toEqual({ a: at(2) })
    expect(await names(bob, id)).toEqual([])
  })

  it('names are required, at most 100 characters, and unique among shared views', async () => {
    const id = await addManifest(server, 'Named')
    const { uid } = await create(ada, id, { name: '  Orders  ' })
    const other = await create(ada, id, { name: 'x'.repeat(100) })
    expect(await names(ada, id)).toEqual(['Orders', 'x'.repeat(100)])
    for (const name of ['', '  ', 'x'.repeat(101), 'hidden\u202E']) {
      expect((await ada.refusal(createDiagramView, creation(id, { name }))).status).toBe(400)
      expect((await ada.refusal(changeDiagramView, changing(id, uid, { name }))).status).toBe(400)
    }
    for (const refusal of [
      await ada.refusal(createDiagramView, creation(id, { name: 'ORDERS' })),
      await ada.refusal(changeDiagramView, changing(id, other.uid, { name: 'orders' })),
    ])
      expect([refusal.status, refusal.answer.message]).toEqual([
        409,
        `There is already a view named ${refusal.answer.message.endsWith('orders.') ? 'orders' : 'ORDERS'}.`,
      ])
    await change(ada, id, uid, { name: 'ORDERS' })
    const racing = await Promise.all(
      [ada, bob].map(async client => (await client.send(createDiagramView, creation(id, { name: 'Default' }))).status),
    )
    expect(racing.toSorted()).toEqual([200, 409])
  })

  it('refuses hostile placements and too many views', async () => {
    const id = await addManifest(server, 'Hostile')
    const { uid } = await create(ada, id)
    const place: unknown[] = [
      { x: 0.5, y: 0, hidden: false },
      { x: 10_000_001, y: 0, hidden: false },
      { x: '1', y: 0, hidden: false },
      { x: 1e300, y: 0, hidden: false },
      { x: 1, hidden: false },
      { x: 1, y: 0, hidden: 0 },
      { x: 1, y: 0, hidden: false, more: 1 },
      [],
    ]
    const bodies: unknown[] = [
      ...place.map(placement => ({ changes: { a: placement } })),
      { changes: { '': at(1) } },
      { changes: { ['x'.repeat(61)]: at(1) } },
      { changes: { 'nul\0': at(1) } },
      { changes: [at(1)] },
      { changes: Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [index, at(1)])) },
      { base: -1 },
      { detail: 'everything' },
      { operationId: 'x' },
      { shared: false },
    ]
    for (const body of bodies) {
      const sent = { params: { id, uid }, body: { operationId: newUid(), base: 1, ...Object(body) } }
      expect([body, (await ada.send(changeDiagramView, sent)).status]).toEqual([body, 400])
    }
    const polluting = `{"operationId":"${newUid()}","base":1,"changes":{"__proto__":{"x":1,"y":1,"hidden":false}}}`
    const raw = await ada.browser.fetch(`/1.0/cdm/manifest/${id}/diagram/views/${uid}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'x-organisation-code': 'ACME' },
      body: polluting,
    })
    expect(raw.status).toBe(400)
    await change(ada, id, uid, { changes: { constructor: at(1), toString: at(2), "'; drop table": at(3) } })
    expect((await list(ada, id)).open?.placements).toEqual({
      constructor: at(1),
      toString: at(2),
      "'; drop table": at(3),
    })
    expect((await ada.refusal(changeDiagramView, changing(id, 'no view', {}))).status).toBe(404)
    for (let count = 1; count < 50; count++) await create(ada, id, { name: `View ${count}` })
    const refusal = await ada.refusal(createDiagramView, creation(id, { name: 'One more' }))
    expect([refusal.status, refusal.answer.message]).toEqual([409, 'There are already 50 views. Delete one first.'])
    await create(ada, id, { name: 'One more', shared: false })
  })

  it('a view places at most 20,000 entities', async () => {
    const id = await addManifest(server, 'Full')
    const { uid } = await create(ada, id)
    const part = (start: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`card${start + index}`, at(index)]))
    await change(ada, id, uid, { changes: part(0, 10_000) })
    await change(ada, id, uid, { changes: part(10_000, 10_000) })
    const refusal = await ada.refusal(changeDiagramView, changing(id, uid, { changes: part(20_000, 1) }))
    expect([refusal.status, refusal.answer.message]).toEqual([400, 'A view can place at most 20,000 entities.'])
    await change(ada, id, uid, { changes: { ...part(20_000, 1), card0: null, card1: at(-1) } })
    const { open } = await list(ada, id)
    expect(Object.keys(open?.placements ?? {})).toHaveLength(20_000)
    expect([open?.revision, open?.placements['card1']]).toEqual([4, at(-1)])
  })

  it('a view stores a bounded number of removed placements', async () => {
    const id = await addManifest(server, 'Removed')
    const { uid } = await create(ada, id)
    for (let round = 0; round < 4; round++) {
      for (const placement of [at(1), null]) {
        const cards = Array.from({ length: 10_000 }, (_, index) => [`card${round} ${index}`, placement] as const)
        await change(ada, id, uid, { changes: Object.fromEntries(cards) })
      }
    }
    const { changes } = await change(ada, id, uid, { base: 0 })
    expect(Object.keys(changes)).toHaveLength(20_000)
    expect(changes).toHaveProperty('card3 0', null)
    expect(changes).not.toHaveProperty('card0 0')
  })

  it('a manifest version has the shared views as they were, read-only', async () => {
    const id = await addManifest(server, 'Versioned')
    const shared = await create(ada, id, { placements: { a: at(1), b: at(2, 0, true) } })
    const empty = await create(ada, id, { name: 'Empty' })
    await create(ada, id, { name: 'Mine', shared: false })
    await ada.call(addManifestVersion, { params: { id }, query: { version: '2.0.0' } })
    await change(ada, id, shared.uid, { changes: { a: at(9), b: null }, name: 'Later' })
    await ada.call(deleteDiagramView, { params: { id, uid: empty.uid } })
    const frozen = await list(ada, id, { version: '1.0.0' })
    expect(frozen).toEqual({
      views: [shared, empty],
      open: { ...shared, placements: { a: at(1), b: at(2, 0, true) } },
    })
    expect((await list(ada, id, { version: '1.0.0', open: empty.uid })).open?.placements).toEqual({})
    expect(await names(ada, id)).toEqual(['Later', 'Mine'])
    expect((await list(ada, id, { version: '2.0.0' })).open?.placements).toEqual({ a: at(9) })
    await ada.call(deleteManifestVersion, { params: { id }, query: { version: '1.0.0' } })
    const gone = await ada.refusal(listDiagramViews, { params: { id }, query: { version: '1.0.0' } })
    expect(gone.status).toBe(404)
  })

  it('views have no entry in the audit log, and go with their manifest', async () => {
    const id = await addManifest(server, 'Unlogged')
    const { totalElements: before } = await ada.call(listManifestLogs, {})
    const shared = await create(ada, id, { placements: { a: at(1) } })
    await create(bob, id, { shared: false, placements: { a: at(1) } })
    await change(ada, id, shared.uid, { changes: { a: at(2) } })
    expect((await ada.call(listManifestLogs, {})).totalElements).toBe(before)
    await ada.call(deleteManifest, { params: { id } })
    const refusal = await ada.refusal(changeDiagramView, changing(id, shared.uid, { changes: { a: at(3) } }))
    expect(refusal.status).toBe(404)
    const organisation = await organisationId(server)
    const db = server.context.store.of(organisation)
    const views = await db
      .selectFrom('diagram_view')
      .select('uid')
      .where('organisation_id', '=', organisation)
      .where('manifest_id', '=', id)
      .execute()
    const placements = await db
      .selectFrom('diagram_placement')
      .select('entity_uid')
      .where('organisation_id', '=', organisation)
      .where('view_uid', '=', shared.uid)
      .execute()
    expect([views, placements]).toEqual([[], []])
  })

  it('a copied manifest has copies of the shared views, in which the copies of its entities have their places', async () => {
    const id = await addManifest(server, 'Original')
    const entity = { name: 'Copied' }
    const { entity: own } = await ada.call(createEntity, { body: { entity, targetManifestId: id } })
    const placements = { [own.uid]: at(3, 4, true), outside: at(5) }
    const view = await create(ada, id, { placements, detail: 'keys' })
    await create(bob, id, { name: 'Mine', shared: false })
    const { manifest } = await ada.call(createManifestByWizard, {
      body: { manifestName: 'Copy', duplicateManifest: id, generateType: 'Manifest' },
    })
    const copy = await ada.call(getEntity, { params: { id: manifest.entityPaths[0]?.id ?? 0 } })
    const copied = await list(ada, manifest.id)
    expect(copied.views).toEqual([{ ...view, uid: expect.not.stringMatching(view.uid), revision: 1 }])
    expect(copied.open?.placements).toEqual({ [copy.entity.uid]: at(3, 4, true), outside: at(5) })
    await change(ada, manifest.id, copied.open?.uid ?? '', { changes: { outside: at(6) } })
    expect((await list(ada, id)).open?.placements).toEqual(placements)
  })

  it('are answered 304 while nothing changes', async () => {
    const id = await addManifest(server, 'Unchanged')
    const { uid } = await create(ada, id, { placements: { a: at(1) } })
    const { etag } = await ada.callWithTag(listDiagramViews, { params: { id } })
    const again = async () =>
      (await ada.send(listDiagramViews, { params: { id }, headers: { 'if-none-match': `"${etag}"` } })).status
    expect(await again()).toBe(304)
    await change(bob, id, uid, { changes: { a: at(2) } })
    expect(await again()).toBe(200)
  })
})
