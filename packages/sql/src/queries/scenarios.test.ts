import type { Operation, Selection, WireKey, WireRecord } from '@cadmus/model/api/operation'
import { newConfiguration } from '@cadmus/model/configuration'
import { limits } from '@cadmus/model/limits'
import { aKey, aList, anEntity, aRelationship, aResolvedModel } from '@cadmus/model/testing/builders'
import { describe, expect, it } from 'vitest'
import { apiOf } from '../api-of.ts'
import { databases, type RunDatabase } from '../databases.ts'
import { instanceSchemaOf } from '../instance-schema.ts'
import { packageOf } from '../testing/packages.ts'
import { field, open, thing } from '../testing/scenario.ts'
import { everyRecord } from '../testing/shop.ts'
import { compileApi } from './compile.ts'
import { sqliteFunctions, sqliteSum } from './sqlite-functions.ts'

const whole: Selection = { fields: null, relations: [] }

describe('The functions of SQLite', () => {
  const { cadmus_key: key, cadmus_number: number, cadmus_fold: fold } = sqliteFunctions
  const sorted = [
    '-100',
    '-99.5',
    '-10',
    '-9',
    '-1.5',
    '-0.05',
    '-0.049',
    '0',
    '0.0012',
    '0.05',
    '0.5',
    '1',
    '9.99',
    '10',
    '12345678901234567890',
  ]

  it('sort decimals like numbers and read them back', () => {
    expect(sorted.map(key).toSorted()).toEqual(sorted.map(key))
    expect(sorted.map(one => number(key(one)))).toEqual(sorted)
    expect(['1.50', '-0', '007', '.5', '1e2', '-1.20e-3'].map(one => number(key(one)))).toEqual([
      '1.5',
      '0',
      '7',
      '0.5',
      '100',
      '-0.0012',
    ])
    expect([key(null), number(null), fold(null), key('x'), fold('ÄB')]).toEqual([null, null, null, '', 'äb'])
  })

  it('add decimals exactly', () => {
    const { start, step } = sqliteSum
    const sum = (...values: readonly (string | null)[]) => values.reduce<string | null>(step, start)
    expect(sum('0.1', '0.25', '-1')).toBe('-0.65')
    expect(sum('99999999999999999999', '0.01')).toBe('99999999999999999999.01')
    expect(sum('-0.5', null, '0.5')).toBe('0')
    expect(sum('-0.05', '0.01')).toBe('-0.04')
    expect([sum(), sum(null), sum('7')]).toEqual([null, null, '7'])
  })
})

it('A record with a foreign key over several fields names the missing record, unless a field is empty', async () => {
  const [shelf, place] = [aKey({ name: 'shelf' }), aKey({ name: 'place' })]
  const slot = anEntity({ name: 'Slot', typeAttributes: aList(shelf, place) })
  const own = { ...field('onPlace'), dataType: 'integer' as const, nullable: true }
  const further = { uid: own.uid, name: own.name, target: place.name, targetUid: place.uid }
  const onShelf = {
    associatedEntityTypeAttribute: shelf.name,
    foreignKeyTypeAttribute: 'onShelf',
    alsoBy: [further],
    position: 2,
    nullable: true,
  }
  const entityAttributes = [aRelationship(slot, onShelf)]
  const thing = { ...anEntity({ name: 'Thing', typeAttributes: aList(aKey(), own) }), entityAttributes }
  const { run, insert } = await open([slot, thing], () => undefined)
  await insert('Slot', { shelf: 1, place: 2 })
  await insert('Thing', { onShelf: 1, onPlace: 2 }, { onShelf: 9 }, { onPlace: 9 })
  const message = "'Slot' record not found: no record has this onShelf and onPlace."
  const fault = { fault: { kind: 'invalid', message } }
  expect(await run({ kind: 'insert', entity: 'Thing', record: { onShelf: 2, onPlace: 1 } })).toEqual(fault)
  expect(await run({ kind: 'update', entity: 'Thing', record: { id: 2, onShelf: 1, onPlace: 1 } })).toEqual(fault)
  expect(await run({ kind: 'update', entity: 'Thing', record: { id: 2, onShelf: 1, onPlace: 2 } })).toMatchObject({
    kind: 'record',
  })
})

describe('Records that a deletion changes', () => {
  const team = anEntity({ name: 'Team', typeAttributes: aList(aKey(), field('name')) })
  const member = {
    ...anEntity({ name: 'Member', typeAttributes: aList(aKey(), field('name')) }),
    entityAttributes: [aRelationship(team, { position: 2, nullable: true, onDelete: 'cascade' })],
  }
  const badge = {
    ...anEntity({ name: 'Badge', typeAttributes: aList(aKey(), field('code')) }),
    entityAttributes: [aRelationship(member, { position: 2, nullable: true, onDelete: 'cascade' })],
  }
  const room = {
    ...anEntity({ name: 'Room', typeAttributes: aList(aKey(), field('door')) }),
    entityAttributes: [
      aRelationship(member, { position: 2, nullable: true, onDelete: 'setNull' }),
      aRelationship(team, { position: 3, nullable: true, onDelete: 'setNull' }),
    ],
  }
  const filled = async (...recorded: readonly string[]) => {
    const shop = await open([team, member, badge, room], ({ serviceConfiguration }) => {
      Object.assign(serviceConfiguration, { applySot: true, sotEntities: recorded })
    })
    await shop.insert('Team', { name: 'A' }, { name: 'B' })
    await shop.insert('Member', { name: 'Ann', teamId: 1 }, { name: 'Bob', teamId: 1 }, { name: 'Cid', teamId: 2 })
    await shop.insert('Badge', { code: 'x', memberId: 1 }, { code: 'y', memberId: 3 })
    await shop.insert('Room', { door: 'r', memberId: 1, teamId: 1 }, { door: 's', memberId: 3, teamId: 1 })
    const changes = async (entity: string, after: string) => {
      const records = await shop.read({ kind: 'changes', entity, after, limit: 100 })
      if (!Array.isArray(records)) return records
      return records.map(({ operation, key, before, after: now, changedBy }) => {
        expect(changedBy).toBe('ann')
        return [operation, key, before, now]
      })
    }
    return { ...shop, changes }
  }

  it('are recorded with their values', async () => {
    const { run, read, changes } = await filled('Team', 'Member', 'Badge', 'Room')
    expect(await run({ kind: 'delete', entity: 'Team', key: [1] })).toEqual({ kind: 'done' })
    expect(await changes('Team', '2')).toEqual([['delete', 1, { id: 1, name: 'A' }, null]])
    expect(await changes('Member', '3')).toEqual([
      ['delete', 1, { id: 1, name: 'Ann', teamId: 1 }, null],
      ['delete', 2, { id: 2, name: 'Bob', teamId: 1 }, null],
    ])
    expect(await changes('Badge', '2')).toEqual([['delete', 1, { id: 1, code: 'x', memberId: 1 }, null]])
    const emptied = (id: number, door: string, memberId: number, now: number | null) => [
      'update',
      id,
      { id, door, memberId, teamId: 1 },
      { id, door, memberId: now, teamId: null },
    ]
    expect(await changes('Room', '2')).toEqual([emptied(1, 'r', 1, null), emptied(2, 's', 3, 3)])
    const rooms = { kind: 'selectAll', entity: 'Room', select: whole, ...everyRecord } as const
    expect(await read(rooms)).toEqual([
      { id: 1, door: 'r', memberId: null, teamId: null },
      { id: 2, door: 's', memberId: 3, teamId: null },
    ])
    expect(await read({ kind: 'history', entity: 'Member', key: [1] })).toMatchObject([
      { operation: 'insert', before: null, after: { id: 1, name: 'Ann', teamId: 1 } },
      { operation: 'delete', before: { id: 1, name: 'Ann', teamId: 1 }, after: null },
    ])
  })

  it.each([['Badge'], ['Room'], ['Member']])('are recorded if only %s has a history', async name => {
    const { run, changes } = await filled(name)
    const inserted = { Badge: '2', Room: '2', Member: '3' }[name] ?? ''
    expect(await run({ kind: 'delete', entity: 'Team', key: [1] })).toEqual({ kind: 'done' })
    expect(await changes(name, inserted)).toHaveLength(name === 'Badge' ? 1 : 2)
    expect(await changes('Team', '0')).toBe('Changes of "Team" are not recorded.')
  })

  it('are recorded once with a key of several fields', async () => {
    const task = anEntity({
      name: 'Task',
      typeAttributes: aList(aKey({ name: 'code', dataType: 'string', maxLength: 2 }), aKey({ name: 'step' })),
      entityAttributes: [
        aRelationship(team, { position: 2, nullable: true, onDelete: 'cascade' }),
        aRelationship(member, { position: 3, nullable: true, onDelete: 'cascade' }),
        aRelationship(room, { position: 4, nullable: true, onDelete: 'setNull' }),
      ],
    })
    const shop = await open([team, member, room, task], ({ serviceConfiguration }) => {
      Object.assign(serviceConfiguration, { applySot: true, sotEntities: ['Task'] })
    })
    await shop.insert('Team', { name: 'A' })
    await shop.insert('Member', { name: 'Ann', teamId: 1 })
    await shop.insert('Room', { door: 'r' }, { door: 's' })
    // The column of the history has room for two characters.
    const steps = Array.from({ length: 300 }, (_, at) => at)
    await shop.insert('Task', ...steps.map(step => ({ code: 'a', step, roomId: 1 })))
    const record = { code: 'b', step: 1, teamId: 1, memberId: 1, roomId: 2 }
    await shop.insert('Task', record)
    const historyOf = (...key: WireKey) => shop.read({ kind: 'history', entity: 'Task', key })
    for (const step of steps) expect(await historyOf('a', step)).toMatchObject([{ key: ['a', step] }])
    await shop.run({ kind: 'delete', entity: 'Room', key: [2] })
    await shop.run({ kind: 'delete', entity: 'Team', key: [1] })
    const emptied = { ...record, roomId: null }
    expect(await historyOf('b', 1)).toMatchObject([
      { operation: 'insert', key: ['b', 1], before: null, after: record },
      { operation: 'update', key: ['b', 1], before: record, after: emptied },
      { operation: 'delete', key: ['b', 1], before: emptied, after: null },
    ])
    expect(await shop.read({ kind: 'changes', entity: 'Task', after: '301', limit: 100 })).toHaveLength(2)
  })

  it('are none of another record', async () => {
    const { run, changes } = await filled('Team', 'Member', 'Badge', 'Room')
    expect(await run({ kind: 'delete', entity: 'Member', key: [2] })).toEqual({ kind: 'done' })
    expect(await changes('Member', '3')).toEqual([['delete', 2, { id: 2, name: 'Bob', teamId: 1 }, null]])
    expect([await changes('Badge', '2'), await changes('Room', '2')]).toEqual([[], []])
    expect(await run({ kind: 'delete', entity: 'Member', key: [2] })).toEqual({
      fault: { kind: 'notFound', message: "'Member' record not found." },
    })
  })

  it('are recorded by an update only if it changes something', async () => {
    const { run, changes } = await filled('Member')
    await run({ kind: 'update', entity: 'Member', record: { id: 1, name: 'Eve' } })
    await run({ kind: 'update', entity: 'Member', record: { id: 1 } })
    expect(await run({ kind: 'update', entity: 'Member', record: { id: 9, name: 'x' } })).toMatchObject({
      fault: { kind: 'notFound' },
    })
    expect(await changes('Member', '3')).toEqual([
      ['update', 1, { id: 1, name: 'Ann', teamId: 1 }, { id: 1, name: 'Eve', teamId: 1 }],
    ])
    expect(await changes('Member', 'x')).toBe('after: this must be a whole number from 0.')
  })
})

describe('Related records', () => {
  const layout = [
    { as: 'Name', member: 'name' },
    { as: 'kind', text: 'team' },
    { as: 'Members', member: 'member' },
  ]
  const team = anEntity({ name: 'Team', typeAttributes: aList(aKey(), field('name')) })
  const member = {
    ...anEntity({ name: 'Member', typeAttributes: aList(aKey(), field('name')) }),
    entityAttributes: [aRelationship(team, { position: 2, nullable: true })],
  }
  const names = { fields: ['name'], relations: [] }
  const filled = async () => {
    const shop = await open([team, member])
    await shop.insert('Team', { name: 'A' }, { name: 'B' })
    await shop.insert('Member', { name: 'Ann', teamId: 1 }, { name: 'Bob', teamId: 1 }, { name: 'Cid' })
    return shop
  }

  it('are read with the records that they belong to', async () => {
    const { read, run } = await filled()
    const listing = { ...everyRecord, sort: [{ field: 'name', descending: true }], limit: 1 }
    const teams = { fields: ['name'], relations: [{ name: 'member', select: names }] }
    const paged = { fields: ['id'], relations: [{ name: 'member', select: names, listing }] }
    const back = { fields: ['name'], relations: [{ name: 'team', select: teams }] }
    const all = (entity: string, select: Selection) => read({ kind: 'selectAll', entity, select, ...everyRecord })
    const first = { name: 'A', member: [{ name: 'Ann' }, { name: 'Bob' }] }
    expect(await all('Team', teams)).toEqual([first, { name: 'B', member: [] }])
    expect(await all('Team', paged)).toEqual([
      { id: 1, member: [{ name: 'Bob' }] },
      { id: 2, member: [] },
    ])
    expect(await all('Member', back)).toEqual([
      { name: 'Ann', team: first },
      { name: 'Bob', team: first },
      { name: 'Cid', team: null },
    ])
    expect(await read({ kind: 'select', entity: 'Team', key: [1], select: teams })).toEqual(first)
    expect(await read({ kind: 'select', entity: 'Team', key: [9], select: teams })).toBe("'Team' record not found.")
    const many = { kind: 'related', entity: 'Team', relation: 'member', select: names, ...everyRecord } as const
    expect(await read({ ...many, key: [1] })).toEqual([{ name: 'Ann' }, { name: 'Bob' }])
    expect(await read({ ...many, key: [2] })).toEqual([])
    expect(await read({ ...many, key: [9] })).toBe("'Team' record not found.")
    expect(await read({ ...many, key: [1], relation: 'none' })).toBe('There is no relation "none".')
    const one = { kind: 'related', entity: 'Member', relation: 'team', select: names, ...everyRecord } as const
    expect(await read({ ...one, key: [2] })).toEqual({ name: 'A' })
    expect(await read({ ...one, key: [3] })).toBe("'Team' record not found.")
    expect(await read({ ...one, key: [9] })).toBe("'Member' record not found.")
    const laid = { ...teams, layout }
    expect(await run({ kind: 'select', entity: 'Team', key: [1], select: laid }, true)).toEqual({
      kind: 'record',
      record: { Name: 'A', kind: 'team', Members: [{ name: 'Ann' }, { name: 'Bob' }] },
    })
    const record = { name: 'C' }
    const own = layout.slice(0, 2)
    expect(await run({ kind: 'insert', entity: 'Team', record, layout: own }, true)).toEqual({
      kind: 'record',
      record: { Name: 'C', kind: 'team' },
    })
    expect(await run({ kind: 'update', entity: 'Team', record: { id: 3, name: 'D' }, layout: own }, true)).toEqual({
      kind: 'record',
      record: { Name: 'D', kind: 'team' },
    })
    expect(await run({ kind: 'insert', entity: 'Member', record: { name: 'Dan', teamId: 1 }, select: back })).toEqual({
      kind: 'record',
      record: { name: 'Dan', team: { name: 'A', member: [{ name: 'Ann' }, { name: 'Bob' }, { name: 'Dan' }] } },
    })
  })

  it('are limited in number', async () => {
    const { read } = await filled()
    const many = (count: number): Selection => ({
      fields: ['id'],
      relations: Array.from({ length: count }, () => ({ name: 'member', select: names })),
    })
    const nested = (depth: number): Selection => ({
      fields: ['id'],
      relations: depth === 0 ? [] : [{ name: depth % 2 === 0 ? 'member' : 'team', select: nested(depth - 1) }],
    })
    const team1 = (select: Selection) => read({ kind: 'select', entity: 'Team', key: [1], select })
    expect(await team1(many(51))).toEqual({ id: 1, member: [{ name: 'Ann' }, { name: 'Bob' }] })
    expect(await team1(nested(52))).toBe('At most 50 relations at once.')
  })
})

describe('An error of a database', () => {
  const rejected = 'The database rejected one of the values.'
  const duplicate = 'A record with these values already exists.'
  const reference = 'Other records refer to this one, or it refers to one that does not exist.'
  it.each<[dialect: RunDatabase, error: unknown, message: string | undefined]>([
    ['postgresql', { code: '23505' }, duplicate],
    ['postgresql', { code: '23503' }, reference],
    ['postgresql', { code: '23001' }, reference],
    ['postgresql', { code: '23504' }, reference],
    ['postgresql', { code: '23514' }, rejected],
    ['postgresql', { code: '22003' }, rejected],
    ['postgresql', { code: '54000' }, rejected],
    ['postgresql', { code: '42P01' }, undefined],
    ['postgresql', { code: 23505 }, undefined],
    ['postgresql', {}, undefined],
    ['postgresql', null, undefined],
    ['postgresql', 'x', undefined],
    ['hsql', { sqlState: '23505' }, duplicate],
    ['sqlite', { errcode: 2067 }, duplicate],
    ['sqlite', { errcode: 787 }, reference],
    ['sqlite', { errcode: 275 }, rejected],
    ['sqlite', { errcode: 1 }, undefined],
  ])('of %s, %j, means %j', (dialect, error, message) => {
    const model = packageOf(aResolvedModel([thing]), 1)
    const compiled = compileApi(apiOf(model), instanceSchemaOf(model, dialect), dialect)
    expect(compiled.faultOf(error)?.message).toBe(message)
    expect(databases[dialect].run.queries.violationOf(error) === undefined).toBe(message === undefined)
  })
})

describe('A change', () => {
  const note = anEntity({
    name: 'Note',
    typeAttributes: aList(
      aKey(),
      field('title', { maxLength: 9 }),
      field('body'),
      field('data', { dataType: 'object' }),
      field('file', { dataType: 'object', format: 'binary' }),
    ),
  })
  const page = {
    ...anEntity({ name: 'Page', typeAttributes: aList(aKey(), field('name', { maxLength: 9 })) }),
    entityAttributes: [aRelationship(note, { position: 2, nullable: true, onDelete: 'cascade' })],
  }
  const writesOf = (operation: Operation, options: { coalesce?: boolean; recorded?: string }, dialect: RunDatabase) => {
    const configuration = newConfiguration('Shop')
    const { sqlConfiguration, serviceConfiguration } = configuration.configurationBuild
    sqlConfiguration.applyCoalesce = options.coalesce ?? false
    const { recorded } = options
    if (recorded) Object.assign(serviceConfiguration, { applySot: true, sotEntities: [recorded] })
    const model = { ...packageOf(aResolvedModel([note, page]), 1), configuration }
    const compiled = compileApi(apiOf(model), instanceSchemaOf(model, dialect), dialect)
    const caller = { name: 'ann', tenant: null }
    return [compiled.plan(operation, caller).writes, compiled.written(operation, caller).writes]
  }
  const insert = (record: WireRecord) => ({ kind: 'insert', entity: 'Note', record }) as const
  const update = (record: WireRecord) => ({ kind: 'update', entity: 'Note', record: { id: 1, ...record } }) as const
  const all = { title: 'x', body: 'x', data: 1, file: '' }
  const large = 'x'.repeat(Math.ceil(limits.quickAnswer / 64))
  const remove = (entity: string) => ({ kind: 'delete', entity, key: [1] }) as const

  it.each<[operation: Operation, writes: [plan: boolean, written: boolean], options?: object, dialect?: RunDatabase]>([
    [insert({ title: 'x' }), [false, false]],
    [insert({ data: large }), [true, false]],
    [insert({ body: large }), [false, false]],
    [insert({ data: 'x' }), [false, false]],
    [{ ...insert({ title: 'x' }), select: whole }, [true, true]],
    [update(all), [false, false]],
    [update({ ...all, data: large }), [true, false]],
    [update({ ...all, title: null, body: null }), [false, false]],
    [update({ ...all, body: null }), [true, false], { coalesce: true }],
    [update({ ...all, title: null }), [false, false], { coalesce: true }],
    [update({ body: 'x', data: 1, file: '' }), [false, false]],
    [update({ title: 'x', data: 1, file: '' }), [true, false]],
    [update({ title: 'x', body: 'x', file: '' }), [true, false]],
    [update({ title: 'x', body: 'x', data: 1 }), [true, false]],
    [remove('Note'), [false, false]],
    [remove('Page'), [false, false]],
    [remove('Note'), [true, true], { recorded: 'Page' }],
    [remove('Page'), [true, true], { recorded: 'Page' }],
    [insert({ title: 'x' }), [false, false], { recorded: 'Page' }],
    [insert({ title: 'x' }), [true, true], { recorded: 'Note' }],
    [insert({ title: 'x' }), [true, true], {}, 'mysql'],
    [remove('Page'), [true, true], {}, 'mysql'],
    [{ kind: 'select', entity: 'Note', key: [1], select: whole }, [false, false]],
    [{ kind: 'selectAll', entity: 'Note', select: whole, ...everyRecord }, [false, false], {}, 'mysql'],
  ])(
    'of more than one statement, or with a large answer, needs a transaction: %j',
    (operation, writes, options, dialect) => {
      expect(writesOf(operation, options ?? {}, dialect ?? 'postgresql')).toEqual(writes)
    },
  )
})
