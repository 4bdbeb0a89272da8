import type { Caller, Operation, Selection, WireRecord } from '@cadmus/model/api/operation'
import type { Configuration } from '@cadmus/model/configuration'
import { describe, expect, it } from 'vitest'
import { apiOf } from '../api-of.ts'
import { instanceSchemaOf } from '../instance-schema.ts'
import { outcomeOf, type Outcome } from '../testing/runners.ts'
import { aShop, everyRecord } from '../testing/shop.ts'
import { sqliteRunner } from '../testing/sqlite-runner.ts'
import { compileApi } from './compile.ts'

const ann: Caller = { name: 'ann', tenant: null }
const whole = { fields: null, relations: [] }

describe('An operation', () => {
  it('names the field whose value is none, and reaches no database with it', async () => {
    const shop = await openShop()
    const refused = async (record: WireRecord) => {
      const { outcome, texts } = await shop.run({ kind: 'insert', entity: 'Order', record })
      expect(texts).toEqual([])
      return 'fault' in outcome && outcome.fault
    }
    const fault = (message: string) => ({ kind: 'invalid', message })
    expect(await refused({ number: 'A', total: 'x' })).toEqual(fault('total: this must be a number.'))
    expect(await refused({ number: 'A', total: '1.005' })).toEqual(
      fault('total: this must be a number with at most 12 digits, 2 of them after the point.'),
    )
    expect(await refused({ number: 'x'.repeat(21) })).toEqual(fault('number: this must be at most 20 characters long.'))
    expect(await refused({ number: 'A', placed: '2023-02-29' })).toEqual(
      fault('placed: this must be a date such as 2026-01-31.'),
    )
    expect(await refused({ total: 1 })).toEqual(fault('number: a value is needed.'))
    expect(await refused({ number: 'A', __proto__x: 1 })).toEqual(fault('There is no field "__proto__x".'))
  })

  it('gives no value for what the database makes', async () => {
    const shop = await openShop()
    const { outcome } = await shop.run({ kind: 'insert', entity: 'Customer', record: { id: 7, name: 'Ann' } })
    expect(outcome).toEqual({ fault: { kind: 'invalid', message: 'id: this is made by the database.' } })
  })

  it('says which record is not there: what is referred to before it is written, the record itself first', async () => {
    const shop = await openShop()
    const notThere = (kind: string, name: string) => ({ fault: { kind, message: `'${name}' record not found.` } })
    const order = { number: 'A-1', customerId: 9 }
    expect((await shop.run({ kind: 'insert', entity: 'Order', record: order })).outcome).toEqual(
      notThere('invalid', 'Customer'),
    )
    expect((await shop.run({ kind: 'update', entity: 'Order', record: order })).outcome).toEqual(
      notThere('notFound', 'Order'),
    )
    expect((await shop.run({ kind: 'delete', entity: 'Order', key: 'A-1' })).outcome).toEqual(
      notThere('notFound', 'Order'),
    )
    const related = {
      kind: 'related',
      entity: 'Customer',
      key: 1,
      relation: 'order',
      select: whole,
      ...everyRecord,
    } as const
    expect((await shop.run(related)).outcome).toEqual(notThere('notFound', 'Customer'))
  })

  it('keeps what is left out, and sets what is null, unless null keeps as well', async () => {
    for (const [coalesce, total] of [
      [false, null],
      [true, '2.5'],
    ] as const) {
      const shop = await openShop(build => {
        build.sqlConfiguration.applyCoalesce = coalesce
      })
      await shop.run({ kind: 'insert', entity: 'Order', record: { number: 'A', total: '2.50', placed: '2024-02-29' } })
      const { outcome } = await shop.run({ kind: 'update', entity: 'Order', record: { number: 'A', total: null } })
      expect(outcome).toEqual({
        kind: 'record',
        record: { number: 'A', total, placed: '2024-02-29', customerId: null },
      })
    }
  })

  it('lists 20 records where nothing is said, at most 1,000, and all where there are no pages', async () => {
    const paged = await openShop()
    const open = await openShop(build => {
      build.sqlConfiguration.applyLimitOffset = false
    })
    for (const shop of [paged, open]) {
      for (let index = 0; index < 25; index += 1) {
        await shop.run({ kind: 'insert', entity: 'Customer', record: { name: `c${index}` } })
      }
    }
    const list = { kind: 'selectAll', entity: 'Customer', select: whole, ...everyRecord } as const
    expect(countOf((await paged.run(list)).outcome)).toEqual([20, 25, 25])
    expect(countOf((await open.run(list)).outcome)).toEqual([25, 25, 25])
    expect(countOf((await paged.run({ ...list, limit: 1000, offset: 24 })).outcome)).toEqual([1, 25, 25])
    expect((await paged.run({ ...list, limit: 1001 })).outcome).toEqual({
      fault: { kind: 'invalid', message: 'limit: this must be a whole number from 1 to 1000.' },
    })
  })

  it('answers the same records again and again up to a bound, and as many different ones as there are', async () => {
    const shop = await openShop()
    await shop.run({ kind: 'insert', entity: 'Customer', record: { name: 'Ann' } })
    for (let index = 0; index < 50; index += 1) {
      await shop.run({ kind: 'insert', entity: 'Order', record: { number: `A-${index}`, customerId: 1 } })
    }
    const orders = (times: number): Selection => ({
      fields: ['number'],
      relations: [{ name: 'customer', select: back(times) }],
    })
    const back = (times: number): Selection => ({
      fields: ['id'],
      relations: times === 0 ? [] : [{ name: 'order', select: orders(times - 1) }],
    })
    const read = async (times: number) =>
      (await shop.run({ kind: 'select', entity: 'Customer', key: 1, select: back(times) })).outcome
    expect(JSON.stringify(await read(2)).split('number')).toHaveLength(50 * 50 + 50 + 1)
    const refused = {
      fault: {
        kind: 'invalid',
        message:
          'What these records lead to, and those again, could be more than 100000 records, most of them many times: ask for fewer, or not there and back.',
      },
    }
    expect(await read(4)).toEqual(refused)
    const list = { kind: 'selectAll', entity: 'Customer', select: back(4), ...everyRecord } as const
    expect((await shop.run(list)).outcome).toEqual(refused)
    const related = {
      kind: 'related',
      entity: 'Order',
      key: 'A-1',
      relation: 'customer',
      select: back(4),
      ...everyRecord,
    } as const
    expect((await shop.run(related)).outcome).toEqual(refused)
  })

  it('searches for no text whose search in long ones would take minutes', async () => {
    const shop = await openShop()
    await shop.run({ kind: 'insert', entity: 'Customer', record: { name: 'Ann' } })
    const list = { kind: 'selectAll', entity: 'Customer', select: whole, ...everyRecord } as const
    expect(countOf((await shop.run({ ...list, search: 'a'.repeat(1000) })).outcome)).toEqual([0, 0, 1])
    expect((await shop.run({ ...list, search: 'a'.repeat(1001) })).outcome).toEqual({
      fault: { kind: 'invalid', message: 'search: this must be at most 1000 characters long.' },
    })
  })

  it('of one tenant reaches no record of another, and what is unique is so within each', async () => {
    const shop = await openShop(build => {
      build.serviceConfiguration.applyMultiTenancy = true
    })
    const [a, b] = [
      { name: 'ann', tenant: 'a' },
      { name: 'bob', tenant: 'b' },
    ]
    const order = { kind: 'insert', entity: 'Order', record: { number: 'A-1' } } as const
    expect((await shop.run(order, a)).outcome).toMatchObject({ kind: 'record' })
    expect((await shop.run(order, b)).outcome).toMatchObject({ kind: 'record' })
    expect((await shop.run(order, b)).outcome).toEqual({
      fault: { kind: 'conflict', message: 'There is a record with these values already.' },
    })
    await shop.run({ kind: 'delete', entity: 'Order', key: 'A-1' }, a)
    const list = { kind: 'selectAll', entity: 'Order', select: whole, ...everyRecord } as const
    expect(countOf((await shop.run(list, a)).outcome)).toEqual([0, 0, 0])
    expect(countOf((await shop.run(list, b)).outcome)).toEqual([1, 1, 1])
    expect((await shop.run(list)).outcome).toEqual({
      fault: { kind: 'invalid', message: 'The caller belongs to no tenant.' },
    })
  })

  it('tells what was changed behind a number, so many at a time', async () => {
    const shop = await openShop(build => {
      build.serviceConfiguration.applySot = true
      build.serviceConfiguration.sotEntities = ['Order']
    })
    await shop.run({ kind: 'insert', entity: 'Order', record: { number: 'A' } })
    await shop.run({ kind: 'update', entity: 'Order', record: { number: 'A', total: 1 } })
    await shop.run({ kind: 'delete', entity: 'Order', key: 'A' })
    const { outcome } = await shop.run({ kind: 'changes', entity: 'Order', after: '1', limit: 1 })
    const before = { number: 'A', total: null, placed: null, customerId: null }
    expect(outcome).toMatchObject({
      records: [
        { sequence: 2, operation: 'update', key: 'A', before, after: { ...before, total: '1' }, changedBy: 'ann' },
      ],
    })
    expect((await shop.run({ kind: 'changes', entity: 'Order', after: '-1', limit: 1 })).outcome).toEqual({
      fault: { kind: 'invalid', message: 'after: this must be a whole number from 0.' },
    })
  })

  it('that is excluded is not there', async () => {
    const shop = await openShop(build => {
      build.apiConfiguration.excludeOperations = ['Order.number.delete']
    })
    expect((await shop.run({ kind: 'delete', entity: 'Order', key: 'A' })).outcome).toEqual({
      fault: { kind: 'notFound', message: '"Order" has no such operation.' },
    })
  })

  it('never has a text of its caller in a statement', async () => {
    const shop = await openShop()
    const hostile = `x'); DROP TABLE "Order"; --`
    const { texts } = await shop.run({
      kind: 'selectAll',
      entity: 'Order',
      select: whole,
      filters: [
        { field: 'number', comparison: 'in', value: [hostile, 'b', 'c'] },
        { field: 'number', comparison: 'like', value: hostile },
      ],
      search: hostile,
      sort: [],
      limit: 17,
      offset: 19,
    })
    // The second one asks for the totals of a page without rows.
    expect(texts).toHaveLength(2)
    for (const part of ['DROP', '17', '19', "x'"]) expect(texts.join('\n')).not.toContain(part)
  })
})

async function openShop(change?: (build: Configuration['configurationBuild']) => void) {
  const model = aShop(change)
  const schema = instanceSchemaOf(model, 'sqlite')
  const compiled = compileApi(apiOf(model), schema, 'sqlite')
  const runner = sqliteRunner(compiled.session)
  await runner.make(schema.statements)
  return { run: (operation: Operation, caller = ann) => outcomeOf(compiled, runner, operation, caller) }
}

/** How many records there are, how many were found, and how many there are at all. */
function countOf(outcome: Outcome): readonly number[] {
  if ('fault' in outcome || outcome.kind !== 'list') return []
  return [outcome.records.length, outcome.total, outcome.totalNotFiltered]
}
