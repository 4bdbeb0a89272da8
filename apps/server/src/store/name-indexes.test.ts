import { newEntityContent } from '@cadmus/model/entity'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'
import { signInStranger } from '../testing/unknown-user.ts'
import { insertEntities } from './entity.ts'
import { NameIndexes } from './name-indexes.ts'

describeOnBothStores('The memory of name indexes', store => {
  let server: TestConsole
  let large: number
  let small: number
  beforeAll(async () => {
    server = await startConsole({ store })
    await signInStranger(server, [{ oc: 'GLOBEX', on: 'Globex', ng: 1 }], 'GLOBEX')
    large = await organisationId(server)
    small = await organisationId(server, 'GLOBEX')
    await insert(large, 500, 'Large')
    await insert(small, 250, 'Small')
  })
  afterAll(() => server.stop())

  async function insert(organisation: number, count: number, start: string): Promise<void> {
    const ids = await server.context.store.ids.take(count)
    const made = ids.map((id, index) => {
      const name = `${start}${index}`
      return { id, path: `user-defined/${name}`, content: newEntityContent({ name }) }
    })
    const db = server.context.store.of(organisation)
    await db.transaction().execute(tx => insertEntities(tx, organisation, made, { userName: 'Test' }))
  }

  const isOpen = async (indexes: NameIndexes, organisation: number) =>
    (await indexes.open(server.context.store.of(organisation), organisation)) !== null

  it('the memory of name indexes is shared: an index above its share is evicted for a smaller one', async () => {
    const indexes = new NameIndexes({ nameIndex: 1000, all: 600 })
    expect(await isOpen(indexes, large)).toBe(true)
    expect(await isOpen(indexes, small)).toBe(true)
    // Reloading it costs more, and must not evict the other index again.
    expect(await isOpen(indexes, large)).toBe(false)
    expect(await isOpen(indexes, small)).toBe(true)
  })

  it('counts indexes that are being loaded', async () => {
    const indexes = new NameIndexes({ nameIndex: 1000, all: 600 })
    const read = Promise.withResolvers<void>()
    let answers = 0
    const slow = server.context.store.of(large).withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        answers += 1
        // The first answer is the count, the second the names.
        if (answers > 1) await read.promise
        return result
      },
    })
    const opened = indexes.open(slow, large)
    await expect.poll(() => answers).toBe(2)
    expect(await isOpen(indexes, small)).toBe(false)
    read.resolve()
    expect(await opened).not.toBeNull()
  })

  it('the memory of name indexes is not spent on an index whose names are too long', async () => {
    await insert(large, 150, 'x'.repeat(580))
    const indexes = new NameIndexes({ nameIndex: 1000, all: 1500 })
    expect(await isOpen(indexes, large)).toBe(false)
    expect(await isOpen(indexes, large)).toBe(false)
    expect(await isOpen(indexes, small)).toBe(true)
  })
})
