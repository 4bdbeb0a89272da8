import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStore, type Store } from './database.ts'

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

it('who reads does not wait for a transaction and sees nothing of it before its end', async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: hasWritten, resolve: written } = Promise.withResolvers<void>()
  const writing = store.shared.transaction().execute(async tx => {
    await tx.insertInto('library_state').values({ name: 'one', value: '' }).execute()
    written()
    await mayEnd
    await tx.insertInto('library_state').values({ name: 'two', value: '' }).execute()
    return tx.selectFrom('library_state').select('name').orderBy('name').execute()
  })
  await hasWritten
  expect(await names()).toEqual([])
  end()
  expect((await writing).map(row => row.name)).toEqual(['one', 'two'])
  expect(await names()).toEqual(['one', 'two'])
})

it('who writes waits for the transaction before, one after the other', async () => {
  const order: string[] = []
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const first = store.shared.transaction().execute(async tx => {
    await tx.insertInto('library_state').values({ name: 'one', value: '' }).execute()
    await mayEnd
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

it('what is rolled back leaves nothing and lets the next one in', async () => {
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

it('others have their turn in the middle of a long transaction', async () => {
  let turns = 0
  let isOver = false
  const others = async () => {
    while (!isOver) {
      turns++
      await nextTurn()
    }
  }
  const running = others()
  const began = performance.now()
  await store.shared.transaction().execute(async tx => {
    for (let step = 0; turns < 5 && performance.now() - began < 10_000; step++) {
      await tx
        .insertInto('library_state')
        .values({ name: `step ${step}`, value: '' })
        .execute()
    }
  })
  isOver = true
  await running
  // Without them there is none but the first.
  expect(turns).toBeGreaterThan(2)
})
