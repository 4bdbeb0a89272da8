import { postgresAvailability } from '@cadmus/testing/availability'
import { type PostgresDatabase, type PostgresServer, startPostgres } from '@cadmus/testing/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentByHash, hashOf, putContent, putContents } from './content.ts'
import type { Db } from './database.ts'
import { openStore, type Store } from './store.ts'
import { removeImportedContents } from './unreferenced-content.ts'

const organisation = 7

describe.skipIf(!postgresAvailability().present)('A content stored while another writer removes it', () => {
  let server: PostgresServer
  let database: PostgresDatabase
  let store: Store
  beforeAll(async () => {
    server = await startPostgres()
    database = await server.createDatabase()
    store = openStore({ kind: 'postgres', url: database.url })
    await store.migrate()
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
    await server.stop()
  })

  const db = () => store.of(organisation)
  const importMark = (importId: number) => ({ importId, clock: store.clock })
  const remove = (tx: Db, importId: number) => removeImportedContents(tx, organisation, importId)
  const isThere = async (body: string) => (await contentByHash(db(), organisation, hashOf(body))) === body

  it('a content stored during its removal is kept if an unpublished import had stored it', async () => {
    const importing = await db().startTransaction().execute()
    await putContents(importing, organisation, ['{"a":1}'], importMark(41))
    const saving = db()
      .transaction()
      .execute(tx => putContent(tx, organisation, '{"a":1}'))
    await untilWaiting(database)
    await importing.commit().execute()
    await saving
    await db()
      .transaction()
      .execute(tx => remove(tx, 41))
    expect(await isThere('{"a":1}')).toBe(true)
  })

  it('a content is stored again if its removal was in progress', async () => {
    await putContents(db(), organisation, ['{"b":1}', '{"b":2}'], importMark(42))
    const removing = await db().startTransaction().execute()
    await remove(removing, 42)
    const saving = db()
      .transaction()
      .execute(tx => putContent(tx, organisation, '{"b":1}'))
    await untilWaiting(database)
    await removing.commit().execute()
    await saving
    expect([await isThere('{"b":1}'), await isThere('{"b":2}')]).toEqual([true, false])
  })

  it('a content is kept if it was being stored before its removal', async () => {
    await putContents(db(), organisation, ['{"c":1}', '{"c":2}'], importMark(43))
    const saving = await db().startTransaction().execute()
    await putContent(saving, organisation, '{"c":1}')
    const removing = db()
      .transaction()
      .execute(tx => remove(tx, 43))
    await untilWaiting(database)
    await saving.commit().execute()
    await removing
    expect([await isThere('{"c":1}'), await isThere('{"c":2}')]).toEqual([true, false])
  })

  it('a content of two imports is kept when one of the imports is removed', async () => {
    const first = await db().startTransaction().execute()
    await putContents(first, organisation, ['{"d":1}'], importMark(44))
    const second = db()
      .transaction()
      .execute(tx => putContents(tx, organisation, ['{"d":1}'], importMark(45)))
    await untilWaiting(database)
    await first.commit().execute()
    await second
    await db()
      .transaction()
      .execute(tx => remove(tx, 44))
    expect(await isThere('{"d":1}')).toBe(true)
  })
})

/** Waits until a transaction is blocked by another. */
async function untilWaiting(database: PostgresDatabase): Promise<void> {
  const waiting = () =>
    database.query("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")
  await expect.poll(async () => (await waiting()).length).toBe(1)
}
