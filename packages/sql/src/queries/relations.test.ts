import type { Caller, Operation, WireRecord } from '@cadmus/model/api/operation'
import type { EntityNode } from '@cadmus/model/entity'
import { aKey, aList, anEntity, aRelationship, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { orderLines } from '@cadmus/model/testing/order-lines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../api-of.ts'
import { instanceSchemaOf } from '../instance-schema.ts'
import { runnerEngines, type RunnerServer } from '../testing/engine-runners.ts'
import { packageOf } from '../testing/packages.ts'
import { outcomeOf, type Runner } from '../testing/runners.ts'
import { compileApi } from './compile.ts'

const whole = { fields: null, relations: [] }
const every = { filters: [], search: '', sort: [], limit: null, offset: 0 }

/** Places in a tree, identified by (area, code); each refers to another one by both fields, `area` is its own. */
const area = aTypeAttribute({ name: 'area', maxLength: 9, purpose: 'identifiedBy', defaultValue: 'north' })
const code = aTypeAttribute({ name: 'code', maxLength: 9, purpose: 'identifiedBy' })
const base = anEntity({ name: 'Place', typeAttributes: aList(area, code) })
const place: EntityNode = {
  ...base,
  entityAttributes: [
    aRelationship(base, {
      associatedEntityTypeAttribute: 'code',
      foreignKeyTypeAttribute: 'within',
      foreignKeyDataType: 'string',
      alsoBy: [{ uid: area.uid, name: 'area', target: 'area', targetUid: area.uid }],
      nullable: true,
      position: 2,
    }),
  ],
}
/** A record whose area has a default. */
const ownArea = aTypeAttribute({ name: 'area', maxLength: 9, defaultValue: 'north' })
const visit = anEntity({
  name: 'Visit',
  typeAttributes: aList(aKey(), ownArea),
  entityAttributes: [
    aRelationship(base, {
      associatedEntityTypeAttribute: 'code',
      foreignKeyTypeAttribute: 'place',
      foreignKeyDataType: 'string',
      alsoBy: [{ uid: ownArea.uid, name: 'area', target: 'area', targetUid: area.uid }],
      nullable: true,
      position: 2,
    }),
  ],
})

describe.each(Object.entries(runnerEngines))('Relations over several fields on %s', (_, engine) => {
  const { dialect, availability, start } = engine
  let server: RunnerServer | undefined
  const runners: Runner[] = []
  beforeAll(async () => {
    if (availability.present) server = await start()
  })
  afterAll(async () => {
    for (const runner of runners) await runner.close()
    await server?.stop()
  })

  async function open(entities: readonly EntityNode[], services: object = {}) {
    const model = packageOf(aResolvedModel(entities), 1)
    const { sqlConfiguration, serviceConfiguration } = model.configuration.configurationBuild
    Object.assign(sqlConfiguration, { applyAutoIncrement: false, applyCoalesce: false, applyLimitOffset: false })
    Object.assign(serviceConfiguration, { applyMultiTenancy: false, applySot: false, ...services })
    const schema = instanceSchemaOf(model, dialect)
    const compiled = compileApi(apiOf(model), schema, dialect)
    const runner = await server?.open(compiled.session)
    if (!runner) throw new Error('There is no server.')
    runners.push(runner)
    await runner.make(schema.statements)
    return (tenant: string | null = null) => {
      const caller: Caller = { name: 'ann', tenant }
      const run = async (operation: Operation) => {
        const { outcome } = await outcomeOf(compiled, runner, operation, caller)
        if ('fault' in outcome) return outcome.fault.message
        return outcome.kind === 'list' ? outcome.records : outcome.kind === 'record' ? outcome.record : null
      }
      const insert = async (entity: string, ...records: readonly WireRecord[]) => {
        for (const record of records) expect(await run({ kind: 'insert', entity, record })).toMatchObject(record)
      }
      return { run, insert }
    }
  }

  const update = (entity: string, record: WireRecord) => ({ kind: 'update', entity, record }) as const

  it.skipIf(!availability.present)(
    `join, refuse and empty only records of the tenant ${availability.advice}`,
    async () => {
      const as = await open(Object.values(orderLines), {
        applyMultiTenancy: true,
        applySot: true,
        sotEntities: ['Complaint'],
      })
      const [a, b] = [as('a'), as('b')]
      for (const { insert } of [a, b]) {
        await insert('Order', { orderId: 1 })
        await insert('OrderLine', { orderId: 1, lineNo: 1 })
        await insert('Complaint', { id: 1, orderId: 1, lineNo: 1 }, { id: 2, orderId: 1, lineNo: 1 })
      }
      await a.insert('OrderLine', { orderId: 1, lineNo: 2 })
      const message = "'OrderLine' record not found: no record has this orderId and lineNo."
      expect(await b.run(update('Complaint', { id: 1, lineNo: 2 }))).toBe(message)
      expect(await a.run(update('Complaint', { id: 1, lineNo: 2 }))).toMatchObject({ orderId: 1, lineNo: 2 })
      const related = { kind: 'related', entity: 'OrderLine', relation: 'complaint', select: whole, ...every } as const
      expect(await a.run({ ...related, key: [1, 1] })).toMatchObject([{ id: 2 }])
      expect(await b.run({ ...related, key: [1, 1] })).toMatchObject([{ id: 1 }, { id: 2 }])
      // No constraint can empty them without the tenant.
      expect(await a.run({ kind: 'delete', entity: 'OrderLine', key: [1, 1] })).toBeNull()
      const all = {
        kind: 'selectAll',
        entity: 'Complaint',
        select: { fields: ['orderId', 'lineNo'], relations: [] },
      } as const
      expect(await a.run({ ...all, ...every })).toEqual([
        { orderId: 1, lineNo: 2 },
        { orderId: null, lineNo: null },
      ])
      expect(await b.run({ ...all, ...every })).toEqual([
        { orderId: 1, lineNo: 1 },
        { orderId: 1, lineNo: 1 },
      ])
      expect(await a.run({ kind: 'history', entity: 'Complaint', key: [2] })).toMatchObject([
        { operation: 'insert' },
        { operation: 'update', before: { lineNo: 1 }, after: { orderId: null, lineNo: null } },
      ])
    },
  )

  it.skipIf(!availability.present)('lead to the record itself and to others of its kind', async () => {
    const { run, insert } = (await open([place, visit]))()
    const message = "'Place' record not found: no record has this area and within."
    await insert('Place', { area: 'north', code: 'a', within: 'a' }, { area: 'south', code: 'a', within: null })
    await insert('Place', { area: 'north', code: 'b', within: 'a' })
    expect(await run({ kind: 'insert', entity: 'Place', record: { area: 'south', code: 'b', within: 'c' } })).toBe(
      message,
    )
    expect(await run(update('Place', { area: 'south', code: 'a', within: 'b' }))).toBe(message)
    expect(await run(update('Place', { area: 'south', code: 'a', within: 'a' }))).toMatchObject({ within: 'a' })
    const select = {
      fields: ['code'],
      relations: [{ name: 'placeListByWithin', select: { fields: ['code'], relations: [] } }],
    }
    expect(await run({ kind: 'select', entity: 'Place', key: ['north', 'a'], select })).toEqual({
      code: 'a',
      placeListByWithin: [{ code: 'a' }, { code: 'b' }],
    })
  })

  it.skipIf(!availability.present)('count default values of a new record', async () => {
    const { run, insert } = (await open([place, visit]))()
    await insert('Place', { area: 'south', code: 'a', within: null }, { area: 'north', code: 'b', within: null })
    expect(await run({ kind: 'insert', entity: 'Visit', record: { id: 1, place: 'a' } })).toBe(
      "'Place' record not found: no record has this area and place.",
    )
    expect(await run({ kind: 'insert', entity: 'Visit', record: { id: 1, place: 'b' } })).toMatchObject({
      area: 'north',
    })
  })

  it.skipIf(!availability.present)('join many parents, each to its own records', async () => {
    const { run, insert } = (await open(Object.values(orderLines)))()
    const count = 40
    const ids = Array.from({ length: count }, (_unused, at) => at + 1)
    await insert('Order', ...ids.map(orderId => ({ orderId })))
    await insert('OrderLine', ...ids.flatMap(orderId => [1, 2].map(lineNo => ({ orderId, lineNo }))))
    await insert('Shipment', ...ids.map(id => ({ id, orderId: id, lineNo: 1 + (id % 2) })))
    const shipments = {
      name: 'shipment',
      select: { fields: ['id'], relations: [] },
      listing: { ...every, limit: null },
    }
    const list = await run({
      kind: 'selectAll',
      entity: 'OrderLine',
      select: { fields: ['orderId', 'lineNo'], relations: [shipments] },
      ...every,
    })
    expect(list).toEqual(
      ids.flatMap(orderId =>
        [1, 2].map(lineNo => {
          const shipment = lineNo === 1 + (orderId % 2) ? [{ id: orderId }] : []
          return { orderId, lineNo, shipment }
        }),
      ),
    )
  })
})
