import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openStore, type Store } from './store.ts'

let folder: string
let store: Store
beforeEach(async () => {
  folder = temporaryFolder('store')
  store = openStore({ kind: 'sqlite', file: join(folder, 'cadmus.sqlite') })
  await store.migrate()
})
afterEach(async () => {
  await store.close()
  removeFolder(folder)
})

const put = (name: string, value: string) => store.shared.insertInto('library_state').values({ name, value })
const names = async () => (await store.shared.selectFrom('library_state').select('name').execute()).map(row => row.name)

it('readers neither wait for a transaction nor see uncommitted rows', async () => {
  const { promise: canEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: hasWritten, resolve: written } = Promise.withResolvers<void>()
  const writing = store.shared.transaction().execute(async tx => {
    await tx.insertInto('library_state').values({ name: 'one', value: '' }).execute()
    written()
    await canEnd
    await tx.insertInto('library_state').values({ name: 'two', value: '' }).execute()
    return tx.selectFrom('library_state').select('name').orderBy('name').execute()
  })
  await hasWritten
  expect(await names()).toEqual([])
  end()
  expect((await writing).map(row => row.name)).toEqual(['one', 'two'])
  expect(await names()).toEqual(['one', 'two'])
})

it('writers run their transactions one after the other', async () => {
  const order: string[] = []
  const { promise: canEnd, resolve: end } = Promise.withResolvers<void>()
  const first = store.shared.transaction().execute(async tx => {
    await tx.insertInto('library_state').values({ name: 'one', value: '' }).execute()
    await canEnd
    order.push('one')
  })
  const second = put('two', '')
    .execute()
    .then(() => order.push('two'))
  const third = store.shared.transaction().execute(async tx => {
    const rows = await tx.selectFrom('library_state').selectAll().execute()
    order.push(`three after ${rows.length}`)
  })
  for (let turn = 0; turn < 5; turn++) await nextTurn()
  expect(order).toEqual([])
  end()
  await Promise.all([first, second, third])
  expect(order).toEqual(['one', 'two', 'three after 2'])
})

it('a rollback discards all writes and admits the next writer', async () => {
  const failing = store.shared.transaction().execute(async tx => {
    await tx.insertInto('library_state').values({ name: 'one', value: '' }).execute()
    throw new Error('No.')
  })
  await expect(failing).rejects.toThrow('No.')
  const refused = store.shared.transaction().execute(async tx => {
    await tx.insertInto('library_state').values({ name: 'one', value: '' }).execute()
    await tx.insertInto('library_state').values({ name: 'one', value: '' }).execute()
  })
  await expect(refused).rejects.toThrow(/UNIQUE/)
  await put('two', '').execute()
  expect(await names()).toEqual(['two'])
})

it('other work runs in the middle of a long transaction', async () => {
  let turns = 0
  let isOver = false
  const others = async () => {
    while (!isOver) {
      turns++
      await nextTurn()
    }
  }
  const running = others()
  const start = performance.now()
  await store.shared.transaction().execute(async tx => {
    for (let step = 0; turns < 5 && performance.now() - start < 10_000; step++) {
      await tx
        .insertInto('library_state')
        .values({ name: `step ${step}`, value: '' })
        .execute()
    }
  })
  isOver = true
  await running
  // Without yielding there would be only one turn.
  expect(turns).toBeGreaterThan(2)
})

it('a new store plans queries like a reopened one', async () => {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  const fresh = openStore({ kind: 'sqlite', file: join(folder, 'fresh.sqlite') })
  await fresh.migrate()
  await fresh.shared.selectFrom('library_state').selectAll().execute()
  const own = prepare.mock.contexts.filter(database => database instanceof DatabaseSync)
  prepare.mockRestore()
  const connections = [...new Set(own)]
  expect(connections).toHaveLength(2)
  const again = new DatabaseSync(join(folder, 'fresh.sqlite'))
  const planOf = (database: DatabaseSync) =>
    database
      .prepare(
        `explain query plan select entity_reference.from_id from entity_reference
        join entity_reference as hit on hit.organisation_id = entity_reference.organisation_id
        and hit.from_id = entity_reference.from_id and hit.attribute_uid = entity_reference.attribute_uid
        where hit.organisation_id = ? and entity_reference.organisation_id = ? and hit.to_id in (${'?, '.repeat(499)}?)`,
      )
      .all(...Array.from({ length: 502 }, () => 2))
      .map(row => row['detail'])
  expect(planOf(again)[0]).toMatch(/SEARCH hit USING INDEX reference_target \(organisation_id=\? AND to_id=\?\)/)
  for (const database of connections) expect(planOf(database)).toEqual(planOf(again))
  again.close()
  await fresh.close()
})
