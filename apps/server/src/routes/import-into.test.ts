import { afterAll, beforeAll, expect, it } from 'vitest'
import { listEntityLogs } from '@cadmus/model/contract/entity'
import {
  type existingChoices,
  importReviewed,
  importReviewedInto,
  listExistingEntities,
  reviewImport,
} from '@cadmus/model/contract/import-review'
import { getManifest, listManifestEntities } from '@cadmus/model/contract/manifest'
import { exportManifest } from '@cadmus/model/contract/manifest-transfer'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { reviewTexts } from '@cadmus/model/messages/import-review'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { openState, saveEditsOn } from '../testing/edited-entities.ts'

type Choice = (typeof existingChoices)[number]

const first = `CREATE TABLE customer (id int PRIMARY KEY, name varchar(80) NOT NULL UNIQUE, born date);
CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customer, note text);`
const second = `CREATE TABLE customer (id int PRIMARY KEY, name varchar(90) NOT NULL UNIQUE, mail text);
CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customer, note text);
CREATE TABLE item (id int PRIMARY KEY, orders_id int REFERENCES orders);`

describeOnBothStores.whenProving('An import into an existing manifest', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  const review = async (name: string, bytes: Uint8Array, importAs: string) =>
    (await designer.call(reviewImport, { fields: { importAs }, files: { manifestFile: { name, bytes } } })).review.key
  const reviewScript = (script: string, name = 'model') =>
    review(`${name}.sql`, Buffer.from(script), 'DATABASE_STRUCTURE')
  /** A new manifest with the tables of the first script. */
  const created = async (name: string) => {
    console.advance(5000)
    const key = await reviewScript(first, name)
    return (await designer.call(importReviewed, { params: { key }, body: {} })).manifest.id
  }
  const existingIn = async (key: string, manifestId: number) =>
    (await designer.call(listExistingEntities, { params: { key }, query: { manifestId } })).existing
  const bodyOf = async (key: string, id: number, existing?: Choice) => ({
    known: (await existingIn(key, id)).map(one => ({ id: one.id, tag: one.tag })),
    ...(existing && { existing }),
  })
  const importInto = async (script: string, id: number, existing?: Choice) => {
    const key = await reviewScript(script)
    const body = await bodyOf(key, id, existing)
    return designer.call(importReviewedInto, { params: { key, id }, body })
  }
  const entitiesOf = async (id: number) => (await designer.call(listManifestEntities, { params: { id } })).entity
  const stateOf = async (manifestId: number, name: string) => {
    const entity = (await entitiesOf(manifestId)).find(one => one.name === name)
    return openState(designer, entity?.id ?? 0)
  }
  const columnsOf = async (manifestId: number, name: string) =>
    (await stateOf(manifestId, name)).content.typeAttributes.map(item => item.name)
  const entries = async () =>
    (await designer.call(listEntityLogs, { query: { actionType: 'UPDATE', limit: 1 } })).totalElements

  it('of the same file changes nothing: no edit, no entry, no other state', async () => {
    const id = await created('Twice')
    const [states, logged] = [await Promise.all(['customer', 'orders'].map(name => stateOf(id, name))), await entries()]
    for (const choice of ['merge', 'replace', 'skip'] as const) {
      const answer = await importInto(first, id, choice)
      expect([answer.created, answer.changed]).toEqual([[], []])
      expect(answer.unchanged + answer.skipped).toBe(2)
    }
    expect(await Promise.all(['customer', 'orders'].map(name => stateOf(id, name)))).toEqual(states)
    expect(await entries()).toBe(logged)
  })

  it('of a folder that was exported from it changes nothing, and follows renames by uid', async () => {
    const id = await created('Folder')
    const { bytes } = await designer.download(exportManifest, { params: { id }, body: { exportType: 'CDM_SCHEMA' } })
    const into = async () => {
      const key = await review('Folder.zip', bytes, 'CDM_SCHEMA')
      const existing = await existingIn(key, id)
      expect(existing.map(({ by }) => by)).toEqual(['uid', 'uid'])
      return designer.call(importReviewedInto, { params: { key, id }, body: await bodyOf(key, id) })
    }
    expect(await into()).toMatchObject({ created: [], changed: [], unchanged: 2 })
    const state = await stateOf(id, 'customer')
    await saveEditsOn(designer, state, [{ kind: 'changeEntity', change: { name: 'client' } }])
    expect((await into()).changed.map(({ id: changed }) => changed)).toEqual([state.id])
    expect((await entitiesOf(id)).map(({ name }) => name)).toEqual(['customer', 'orders'])
  })

  it('merges what the file says, keeps what only the entity has, and adds what is new', async () => {
    const id = await created('Merged')
    const answer = await importInto(second, id)
    expect(answer).toMatchObject({ created: [{ name: 'item' }], changed: [{ name: 'customer' }], unchanged: 1 })
    expect(answer.message).toBe(reviewTexts.into('Merged', { created: 1, changed: 1, same: 1, enumerations: 0 }))
    expect(await columnsOf(id, 'customer')).toEqual(['id', 'name', 'born', 'mail'])
    const orders = await stateOf(id, 'orders')
    const item = await stateOf(id, 'item')
    expect(item.content.entityAttributes).toMatchObject([
      { foreignKeyTypeAttribute: 'orders_id', associatedEntity: { id: orders.id } },
    ])
    expect(await importInto(second, id)).toMatchObject({ created: [], changed: [], unchanged: 3 })
  })

  it.each(['merge', 'replace'] as const)(
    '%s takes names and keys that a new entity of the file may have',
    async how => {
      const wild = `CREATE TABLE customer (id int, "no" int, name varchar(80), y int, "a b/c" date, PRIMARY KEY (id, "no"));
CREATE TABLE orders (id int PRIMARY KEY, customer_id int, z int, FOREIGN KEY (customer_id, z) REFERENCES customer);`
      const id = await created(`wild ${how}`)
      expect((await importInto(wild, id, how)).changed.map(({ name }) => name)).toEqual(['customer', 'orders'])
      const { content } = await stateOf(id, 'customer')
      const names = content.typeAttributes.map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['id', 'no', 'y', 'a b/c']))
      const keys = content.typeAttributes.filter(({ purpose }) => purpose === 'identifiedBy')
      expect(keys.map(({ name }) => name)).toEqual(['id', 'no'])
      expect(await importInto(wild, id, how)).toMatchObject({ changed: [], created: [] })
    },
  )

  it('of an exported script without foreign keys and indexes leaves those of the entities', async () => {
    const keyed = `CREATE TABLE customer (id int PRIMARY KEY, name varchar(80) NOT NULL UNIQUE, born date);
CREATE INDEX ix_born ON customer (born);
CREATE TABLE orders (id int, customer_id int REFERENCES customer, PRIMARY KEY (id, customer_id));`
    const id = await created('omissions')
    await importInto(keyed, id)
    const sqlExport = { foreignKeys: 'off', indexes: 'off' } as const
    const body = { exportType: 'DB_STRUCTURE' as const, databaseType: 'POSTGRESQL', sqlExport }
    const { bytes } = await designer.download(exportManifest, { params: { id }, body })
    const key = await review('omissions.zip', bytes, 'DATABASE_STRUCTURE')
    const into = { params: { key, id }, body: await bodyOf(key, id) }
    expect(await designer.call(importReviewedInto, into)).toMatchObject({ changed: [], created: [], unchanged: 2 })
  })

  it('adds enumerations and their values, which attributes follow, and nothing for the same file again', async () => {
    const script = (values: string) =>
      `CREATE TYPE mood AS ENUM (${values}); CREATE TABLE person (id int PRIMARY KEY, mood mood);`
    console.advance(5000)
    const key = await reviewScript(script("'sad', 'ok'"), 'Enumerated')
    const { id } = (await designer.call(importReviewed, { params: { key }, body: {} })).manifest
    const current = async () => {
      const { enumerations } = (await designer.call(getManifest, { params: { id } })).manifest
      const { content } = await stateOf(id, 'person')
      const { choices, enumeration } = content.typeAttributes.find(({ name }) => name === 'mood') ?? {}
      expect(enumeration).toEqual({ uid: enumerations[0]?.uid, name: 'mood' })
      return { choices, values: enumerations[0]?.values.map(({ value }) => value) }
    }
    const first = ['sad', 'ok']
    expect(await current()).toEqual({ choices: first, values: first })
    const more = script("'fine', 'sad', 'low'")
    expect(await importInto(more, id, 'skip')).toMatchObject({ changed: [], report: [{ kind: 'read' }, {}, {}, {}] })
    expect(await current()).toEqual({ choices: first, values: first })
    const reviewed = { params: { key: await reviewScript(more) }, query: { manifestId: id } }
    const { findings } = await designer.call(listExistingEntities, reviewed)
    expect(findings.map(({ message }) => message)).toEqual([reviewTexts.enumeration('mood', false, ['fine', 'low'])])
    const answer = await importInto(more, id)
    expect(answer).toMatchObject({ changed: [], unchanged: 1, enumerations: ['mood'] })
    expect(answer.message).toBe(reviewTexts.into('Enumerated', { created: 0, changed: 0, same: 1, enumerations: 1 }))
    expect(answer.report[0]?.message).toBe(reviewTexts.enumeration('mood', false, ['fine', 'low']))
    const all = ['fine', 'sad', 'low', 'ok']
    expect(await current()).toEqual({ choices: all, values: all })
    const logged = await entries()
    for (const choice of ['merge', 'replace', 'skip'] as const)
      expect(await importInto(more, id, choice)).toMatchObject({ created: [], changed: [] })
    expect(await importInto(script("'sad', 'ok'"), id)).toMatchObject({ created: [], changed: [] })
    expect(await entries()).toBe(logged)
    const added = await importInto(
      "CREATE TYPE shade AS ENUM ('red'); CREATE TABLE car (id int PRIMARY KEY, s shade);",
      id,
    )
    expect(added.report[0]?.message).toBe(reviewTexts.enumeration('shade', true, ['red']))
    const [car] = (await stateOf(id, 'car')).content.typeAttributes.filter(({ name }) => name === 's')
    expect(car).toMatchObject({ choices: ['red'], enumeration: { name: 'shade' } })
  })

  it('leaves out chosen entities, whether they exist or not', async () => {
    const id = await created('Partly')
    const key = await reviewScript(second)
    const [customer, orders] = await existingIn(key, id)
    const known = [{ id: orders?.id ?? 0, tag: orders?.tag ?? '' }]
    const body = { leftOut: [customer?.entity ?? 0], known }
    const answer = await designer.call(importReviewedInto, { params: { key, id }, body })
    expect(answer).toMatchObject({ created: [{ name: 'item' }], changed: [], unchanged: 1 })
    expect(await columnsOf(id, 'customer')).toEqual(['id', 'name', 'born'])
  })

  it('replaces, keeps both or skips, as chosen for all or one', async () => {
    const id = await created('Chosen')
    const key = await reviewScript(second)
    const exceptions = [
      { entity: 1, existing: 'beside' as const },
      { entity: 0, existing: 'replace' as const },
    ]
    const body = { ...(await bodyOf(key, id, 'skip')), exceptions }
    const answer = await designer.call(importReviewedInto, { params: { key, id }, body })
    expect(answer.created.map(({ name }) => name)).toEqual(['orders_2', 'item'])
    expect(answer.changed.map(({ name }) => name)).toEqual(['customer'])
    expect(await columnsOf(id, 'customer')).toEqual(['id', 'name', 'mail'])
    const [customer, copy] = [await stateOf(id, 'customer'), await stateOf(id, 'orders_2')]
    expect(copy.content.entityAttributes[0]?.associatedEntity.id).toBe(customer.id)
    expect(await importInto(first, id, 'skip')).toMatchObject({ created: [], changed: [], skipped: 2 })
  })

  it('merges with what others changed since the review, and stores nothing if that is the same', async () => {
    const id = await created('Meanwhile')
    const key = await reviewScript(second)
    const body = await bodyOf(key, id)
    const before = await stateOf(id, 'customer')
    const name = before.content.typeAttributes[1]
    const change = (maxLength: number): EntityEdit => ({
      kind: 'changeAttributes',
      changes: [{ uid: name?.uid ?? '', change: { maxLength } }],
    })
    await saveEditsOn(designer, before, [change(70)])
    const refused = await designer.refusal(importReviewedInto, { params: { key, id }, body })
    expect([refused.status, refused.answer.code]).toEqual([409, 'conflict'])
    expect((await entitiesOf(id)).map(one => one.name)).toEqual(['customer', 'orders'])
    const now = await stateOf(id, 'customer')
    await saveEditsOn(designer, now, [change(80), { kind: 'changeEntity', change: { description: 'Ours.' } }])
    await designer.call(importReviewedInto, { params: { key, id }, body })
    const after = (await stateOf(id, 'customer')).content
    expect([after.description, after.typeAttributes[1]?.maxLength]).toEqual(['Ours.', 90])
  })

  it('is refused if other entities exist than were reviewed, and ends the review only with success', async () => {
    const id = await created('Others')
    const key = await reviewScript(second)
    const refused = await designer.refusal(importReviewedInto, { params: { key, id }, body: { known: [] } })
    expect([refused.status, refused.answer.message]).toEqual([409, reviewTexts.otherState])
    const body = { ...(await bodyOf(key, id)), exceptions: [{ entity: 9, existing: 'skip' as const }] }
    expect((await designer.refusal(importReviewedInto, { params: { key, id }, body })).status).toBe(400)
    const nowhere = { params: { key, id: id + 1_000_000 }, body: { known: [] } }
    expect((await designer.refusal(importReviewedInto, nowhere)).status).toBe(404)
    await designer.call(importReviewedInto, { params: { key, id }, body: await bodyOf(key, id) })
    expect((await designer.refusal(importReviewedInto, { params: { key, id }, body })).status).toBe(404)
  })

  it('is for its user and organisation alone', async () => {
    const id = await created('Own')
    const key = await reviewScript(second)
    for (const client of [await console.as('admin', 'ACME'), await console.as('admin')]) {
      const listed = await client.refusal(listExistingEntities, { params: { key }, query: { manifestId: id } })
      const imported = await client.refusal(importReviewedInto, { params: { key, id }, body: { known: [] } })
      expect([listed.status, imported.status]).toEqual([404, 404])
    }
  })
})
