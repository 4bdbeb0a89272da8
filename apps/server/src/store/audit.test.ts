import { postgresAvailability } from '@cadmus/testing/availability'
import { startPostgres } from '@cadmus/testing/postgres'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely'
import pg from 'pg'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { appendAudit, publishAudit, type AuditChange } from './audit.ts'
import { newestAudit } from './audit-of-target.ts'
import { listAudit } from './audit-read.ts'
import type { StoreSettings } from './database.ts'
import { openStore, type Store } from './store.ts'
import * as ground from './migrations/001-ground.ts'
import * as audit from './migrations/003-audit.ts'
import * as flatCost from './migrations/004-flat-cost.ts'
import * as saveIds from './migrations/017-save-ids.ts'
import * as requestDigests from './migrations/019-save-marks.ts'
import * as edits from './migrations/021-edits.ts'
import * as followingChanges from './migrations/023-following-changes.ts'
import { openSqlite } from './sqlite.ts'

const actor = { userId: 'u', userName: 'Test', userEmail: 't@example.org' }

const kinds = [
  ['sqlite', true],
  ['postgres', postgresAvailability().present],
] as const

describe.each(kinds)('The order of the audit (%s)', (kind, present) => {
  let settings: StoreSettings
  let drop: () => Promise<void> | void
  let stores: Store[] = []
  beforeAll(async () => {
    if (!present) return
    const place = await newPlace(kind)
    settings = place.settings
    drop = place.drop
    await open().migrate()
  })
  afterEach(() => vi.useRealTimers())
  afterAll(async () => {
    await Promise.all(stores.map(store => store.close()))
    await drop?.()
  })

  function open(): Store {
    const store = openStore(settings)
    stores = [...stores, store]
    return store
  }

  async function tell(store: Store, name: string, importId = 0): Promise<void> {
    const ids = await store.ids.take(2)
    const nextId = () => ids.pop() ?? -1
    await store
      .of(7)
      .transaction()
      .execute(tx => appendAudit(tx, { organisationId: 7, actor, changeId: nextId(), importId, nextId }, [entry(name)]))
  }

  const names = async (store: Store) => {
    const query = { offset: 0, limit: 100, orderBy: 'at', direction: 'asc' } as const
    return (await listAudit(store.of(7), 7, 'ENTITY', query)).entries.map(item => item.ENTITY_NAME)
  }

  it.skipIf(!present)('follows commits, even if a clock is set back and servers take ids in blocks', async () => {
    const [first, second] = [open(), open()]
    await tell(first, 'A')
    await tell(second, 'B')
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() - 86_400_000)
    await tell(first, 'C')
    vi.useRealTimers()
    await tell(second, 'D')
    await tell(first, 'E')
    expect(await names(first)).toEqual(['A', 'B', 'C', 'D', 'E'])
    const [newest, before] = await newestAudit(first.of(7), 7, 1, { limit: 2, before: undefined })
    expect([newest?.original_hash, before?.original_hash]).toEqual(['E', 'D'])
  })

  it.skipIf(!present)('imported entries are ordered by the time at which they became visible', async () => {
    const store = open()
    await tell(store, 'Imported', 99)
    await tell(store, 'Meanwhile')
    await store
      .of(7)
      .transaction()
      .execute(tx => publishAudit(tx, 7, 99))
    await tell(store, 'Later')
    expect((await names(store)).slice(-3)).toEqual(['Meanwhile', 'Imported', 'Later'])
  })

  it.skipIf(!present)('gives concurrent writers distinct numbers', async () => {
    const store = open()
    await Promise.all(Array.from({ length: 12 }, (_none, index) => tell(store, `Race${index}`)))
    const rows = await store
      .of(7)
      .selectFrom('audit_entry')
      .select('sequence')
      .where('organisation_id', '=', 7)
      .execute()
    expect(new Set(rows.map(row => row.sequence)).size).toBe(rows.length)
  })

  it.skipIf(!present)('keeps the order by time for entries of an older store', async () => {
    const place = await newPlace(kind)
    const old = place.open()
    await ground.up(old)
    for (const [id, at] of [
      [5, '2026-01-02T00:00:00.000Z'],
      [9, '2026-01-01T00:00:00.000Z'],
      [7, '2026-01-03T00:00:00.000Z'],
    ] as const)
      await sql`insert into audit_entry (organisation_id, id, at, kind, target_id, action_type, user_id, user_name, user_name_folded,
        user_email, name, path, description, import_id) values (7, ${id}, ${at}, 'ENTITY', 1, 'UPDATE', 'u', 'U', 'u', '', ${`N${id}`}, 'p', 'd', 0)`.execute(
        old,
      )
    await audit.up(old)
    await old.transaction().execute(tx => flatCost.up(tx))
    await saveIds.up(old)
    await requestDigests.up(old)
    await edits.up(old)
    await followingChanges.up(old)
    await old.destroy()
    const store = openStore(place.settings)
    const rows = await store
      .of(7)
      .selectFrom('audit_entry')
      .select(['name', 'sequence', 'change_id', 'content_kind', 'restoration'])
      .where('organisation_id', '=', 7)
      .orderBy('sequence')
      .execute()
    const stored = { content_kind: 'entity', restoration: null }
    expect(rows).toEqual([
      { name: 'N9', sequence: 1, change_id: 9, ...stored },
      { name: 'N5', sequence: 2, change_id: 5, ...stored },
      { name: 'N7', sequence: 3, change_id: 7, ...stored },
    ])
    await tell(store, 'New')
    expect(await names(store)).toEqual(['N9', 'N5', 'N7', 'New'])
    await store.close()
    await place.drop()
  })
})

function entry(name: string): AuditChange {
  return {
    kind: 'ENTITY',
    target_id: 1,
    action_type: 'UPDATE',
    name,
    path: `user-defined/${name}`,
    description: 'd',
    original_hash: name,
    updated_hash: null,
    version: '1.0.0',
    content_kind: 'entity',
    restoration: {},
  }
}

async function newPlace(kind: 'sqlite' | 'postgres') {
  if (kind === 'sqlite') {
    const folder = temporaryFolder('audit')
    const file = join(folder, 'store.sqlite')
    const settings: StoreSettings = { kind, file }
    const open = () => new Kysely<unknown>({ dialect: new SqliteDialect({ database: openSqlite(file, {}) }) })
    return { settings, open, drop: () => removeFolder(folder) }
  }
  const { url, drop } = await (await startPostgres()).createDatabase()
  const settings: StoreSettings = { kind, url }
  const open = () =>
    new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }) })
  return { settings, open, drop }
}
