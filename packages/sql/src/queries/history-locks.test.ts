import type { Operation } from '@cadmus/model/api/operation'
import { aList, aTypeAttribute } from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { apiOf } from '../api-of.ts'
import { instanceSchemaOf } from '../instance-schema.ts'
import { runnerEngines } from '../testing/engine-runners.ts'
import { outcomeOf } from '../testing/runners.ts'
import { aShop } from '../testing/shop.ts'
import { compileApi } from './compile.ts'

const ann = { name: 'ann', tenant: null }

/** Orders are deleted with their customer; both have a history. The name of customers comes after that of orders. */
function recordedShop(orderKey = true) {
  const shop = aShop(build => {
    build.serviceConfiguration.applySot = true
    build.serviceConfiguration.sotEntities = ['Order', 'Zustomer']
  })
  const entities = shop.entities.map(entity => ({
    ...entity,
    name: entity.name === 'Customer' ? 'Zustomer' : entity.name,
    entityAttributes: entity.entityAttributes.map(one => ({ ...one, onDelete: 'cascade' as const })),
    typeAttributes:
      entity.name === 'Order' && !orderKey
        ? aList(aTypeAttribute({ name: 'number', dataType: 'string' }))
        : entity.typeAttributes,
  }))
  return { ...shop, entities }
}

async function open(engine: 'SQLite' | 'PostgreSQL', model: ReturnType<typeof recordedShop>) {
  const { dialect, start } = runnerEngines[engine] ?? {}
  if (!dialect || !start) throw new RangeError('Unknown engine.')
  const server = await start()
  const schema = instanceSchemaOf(model, dialect)
  const compiled = compileApi(apiOf(model), schema, dialect)
  const runner = await server.open(compiled.session)
  await runner.make(schema.statements)
  return {
    run: (operation: Operation) => outcomeOf(compiled, runner, operation, ann),
    async stop() {
      await runner.close()
      await server.stop()
    },
  }
}

const { present = false } = runnerEngines['PostgreSQL']?.availability ?? {}

it.skipIf(!present)('the history of a mutation is locked after the relations of its answer are read', async () => {
  const { run, stop } = await open('PostgreSQL', recordedShop())
  await run({ kind: 'insert', entity: 'Zustomer', record: { name: 'Ann' } })
  const whole = { fields: ['name'], relations: [] }
  const select = { fields: ['number'], relations: [{ name: 'zustomer', select: whole }] }
  const record = { number: 'A', customerId: 1 }
  for (const kind of ['insert', 'update'] as const) {
    const { outcome, texts } = await run({ kind, entity: 'Order', record, select })
    expect(outcome).toMatchObject({ record: { number: 'A', zustomer: { name: 'Ann' } } })
    expect(texts.slice(-2).map(text => text.split(' ').slice(0, 2).join(' '))).toEqual(['LOCK TABLE', 'INSERT INTO'])
  }
  await stop()
})

it.skipIf(!present)('a deletion locks all histories in the order of their names before it writes', async () => {
  const { run, stop } = await open('PostgreSQL', recordedShop())
  await run({ kind: 'insert', entity: 'Zustomer', record: { name: 'Ann' } })
  await run({ kind: 'insert', entity: 'Order', record: { number: 'A', customerId: 1 } })
  const { texts } = await run({ kind: 'delete', entity: 'Zustomer', key: [1] })
  const changing = texts.filter(text => !text.startsWith('SELECT'))
  expect(changing.map(text => text.split('"')[0]?.trim())).toEqual([
    'LOCK TABLE',
    'LOCK TABLE',
    'INSERT INTO',
    'INSERT INTO',
    'DELETE FROM',
  ])
  const locked = changing.slice(0, 2).map(text => text.split('"')[1])
  expect(locked).toEqual(locked.toSorted())
  expect(locked[0]).toContain('Order')
  await stop()
})

it('a deletion is rejected before it changes anything if it would hold too large records without a key', async () => {
  const { run, stop } = await open('SQLite', recordedShop(false))
  await run({ kind: 'insert', entity: 'Zustomer', record: { name: 'Ann' } })
  const record = { number: 'x'.repeat(9 * 2 ** 20), customerId: 1 }
  for (let count = 0; count < 8; count += 1) await run({ kind: 'insert', entity: 'Order', record })
  const { outcome, texts } = await run({ kind: 'delete', entity: 'Zustomer', key: [1] })
  expect(outcome).toEqual({
    fault: {
      kind: 'invalid',
      message:
        'The history would have to record more than 64 MB of records without a key of a single field that are deleted or changed with this one. Delete some of them first.',
    },
  })
  expect(texts.filter(text => !text.startsWith('SELECT'))).toEqual([])
  await stop()
})
