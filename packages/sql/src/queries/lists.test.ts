import type { Filter, WireValue } from '@cadmus/model/api/operation'
import { describe, expect, it } from 'vitest'
import { is, open, thing } from '../testing/scenario.ts'
import { everyRecord } from '../testing/shop.ts'

describe('A value', () => {
  it.each<[name: string, sent: WireValue, stored: WireValue]>([
    ['text', 'abcde', 'abcde'],
    ['text', '', ''],
    ['choice', 'b', 'b'],
    ['guid', '6F9619FF-8B86-D011-B42D-00C04FC964FF', '6f9619ff-8b86-d011-b42d-00c04fc964ff'],
    ['small', -32768, -32768],
    ['small', '7', 7],
    ['big', 9007199254740991, 9007199254740991],
    ['big', '9223372036854775807', '9223372036854775807'],
    ['price', 12.5, '12.5'],
    ['price', '12.50', '12.5'],
    ['price', '-0.00', '0'],
    ['price', 1e3, '1000'],
    ['exact', '1.5e3', '1500'],
    ['exact', 1e-7, '0.0000001'],
    ['exact', '0001.20', '1.2'],
    ['exact', '12345678901234567890.123456789', '12345678901234567890.123456789'],
    ['ratio', 0.1, 0.1],
    ['ratio', '1e300', 1e300],
    ['flag', true, true],
    ['flag', false, false],
    ['flag', 'true', true],
    ['day', '2024-02-29', '2024-02-29'],
    ['hour', '08:30', '08:30:00'],
    ['hour', '08:30:00.500', '08:30:00.5'],
    ['hour', '08:30:10', '08:30:10'],
    ['moment', '2024-02-29T08:30:00.250', '2024-02-29T08:30:00.25'],
    ['moment', '2024-02-29T08:30:00.000', '2024-02-29T08:30:00'],
    ['data', { a: [1, null, 'x'], b: { c: true } }, { a: [1, null, 'x'], b: { c: true } }],
    ['data', 'x', 'x'],
    ['data', 5, 5],
    ['bytes', 'DxA=', 'DxA='],
    ['bytes', '', ''],
    ['ratio', null, null],
  ])('of the field %s: %j is stored as %j', async (name, sent, stored) => {
    const { run, read } = await open([thing])
    const { record } = { record: { [name]: sent } }
    expect(await run({ kind: 'insert', entity: 'Thing', record })).toMatchObject({ record: { [name]: stored } })
    expect(await run({ kind: 'insert', entity: 'Thing', record }, true)).toMatchObject({ record: { [name]: stored } })
    expect(await run({ kind: 'update', entity: 'Thing', record: { id: 2, ...record } }, true)).toMatchObject({
      record: { id: 2, [name]: stored },
    })
    const select = { fields: [name], relations: [] }
    expect(await read({ kind: 'select', entity: 'Thing', key: [1], select })).toEqual({ [name]: stored })
    expect(await read({ kind: 'selectAll', entity: 'Thing', select, ...everyRecord })).toEqual([
      { [name]: stored },
      { [name]: stored },
    ])
  })

  it.each<[name: string, sent: WireValue, fault: string]>([
    ['text', 'abcdef', 'this must be at most 5 characters long.'],
    ['text', 5, 'this must be a text.'],
    ['text', true, 'this must be a text.'],
    ['choice', 'c', 'this must be one of the choices.'],
    ['guid', 'x', 'this must be a UUID.'],
    ['small', 32768, 'this must be a whole number of at most 16 bits.'],
    ['small', 1.5, 'this must be a whole number.'],
    ['small', 'x', 'this must be a whole number.'],
    ['small', true, 'this must be a whole number.'],
    ['big', 9007199254740992, 'this must be a whole number.'],
    ['price', '12345', 'this must be a number with at most 6 digits, 2 of them after the point.'],
    ['price', '1.234', 'this must be a number with at most 6 digits, 2 of them after the point.'],
    ['price', [], 'this must be a number.'],
    ['exact', 'x', 'this must be a number.'],
    ['ratio', 'x', 'this must be a number.'],
    ['ratio', false, 'this must be a number.'],
    ['flag', 1, 'this must be true or false.'],
    ['flag', 'yes', 'this must be true or false.'],
    ['day', '2023-02-29', 'this must be a date such as 2026-01-31.'],
    ['day', 5, 'this must be a date such as 2026-01-31.'],
    ['hour', '25:00', 'this must be a time such as 13:45:00.'],
    ['moment', 'x', 'this must be a date and time such as 2026-01-31T13:45:00Z.'],
    ['moment', 5, 'this must be a date and time such as 2026-01-31T13:45:00Z.'],
    ['bytes', '!', 'this must be Base64 text.'],
    ['bytes', 5, 'this must be Base64 text.'],
  ])('of the field %s: %j is rejected', async (name, sent, fault) => {
    const { run } = await open([thing])
    const rejected = { fault: { kind: 'invalid', message: `${name}: ${fault}` } }
    expect(await run({ kind: 'insert', entity: 'Thing', record: { [name]: sent } })).toEqual(rejected)
  })
})

const list = (change: object = {}) =>
  ({
    kind: 'selectAll',
    entity: 'Thing',
    select: { fields: ['id'], relations: [] },
    ...everyRecord,
    ...change,
  }) as const

async function things() {
  const shop = await open([thing])
  await shop.insert(
    'Thing',
    { text: 'Apple', small: 1, price: '9.5', exact: '-10', flag: true, day: '2024-01-01', ratio: 1.5 },
    { text: 'apple', small: 2, price: '10', exact: '-9.5', flag: false, day: '2024-01-02', ratio: -2 },
    { text: 'b%_é', small: -3, price: '0.25', exact: '0', guid: '6f9619ff-8b86-d011-b42d-00c04fc964ff' },
    { choice: 'a', small: 2, exact: '100.01', data: { a: 1 } },
  )
  const ids = async (change: object) => {
    const records = await shop.read(list(change))
    return Array.isArray(records) ? records.map(record => record['id']) : records
  }
  return { ...shop, ids }
}

describe('A list', () => {
  it.each<[filters: readonly Filter[], ids: readonly number[] | string]>([
    [[is('small', 'eq', 2)], [2, 4]],
    [[is('small', 'ne', 2)], [1, 3]],
    [[is('small', 'gt', 1)], [2, 4]],
    [[is('small', 'gte', '1')], [1, 2, 4]],
    [[is('small', 'lt', 1)], [3]],
    [[is('small', 'lte', 1)], [1, 3]],
    [[is('small', 'in', [1, -3, 5])], [1, 3]],
    [[is('small', 'in', [])], []],
    [[is('price', 'gt', '9.5')], [2]],
    [[is('price', 'eq', '10.00')], [2]],
    [[is('exact', 'lt', -9)], [1, 2]],
    [[is('exact', 'gte', '-9.50')], [2, 3, 4]],
    [[is('exact', 'in', ['0.0', '100.010'])], [3, 4]],
    [[is('ratio', 'lt', 0)], [2]],
    [[is('flag', 'eq', true)], [1]],
    [[is('flag', 'ne', 'true')], [2]],
    [[is('day', 'gt', '2024-01-01')], [2]],
    [[is('guid', 'eq', '6F9619FF-8B86-D011-B42D-00C04FC964FF')], [3]],
    [[is('text', 'like', 'a%')], [2]],
    [[is('text', 'like', '_pple')], [1, 2]],
    [[is('text', 'like', '%é')], [3]],
    [[is('text', 'like', '[Aa]%')], []],
    [[is('text', 'null', true)], [4]],
    [[is('text', 'null', 'false')], [1, 2, 3]],
    [[is('data', 'null', 'true')], [1, 2, 3]],
    [[is('small', 'eq', 2), is('flag', 'eq', false)], [2]],
    [[is('text', 'null', 'x')], 'text: this must be true or false.'],
    [[is('text', 'eq', null)], 'text: use the comparison "null" to find missing values.'],
    [[is('small', 'in', 1)], 'small: this must be a list of values.'],
    [
      [
        is(
          'small',
          'in',
          Array.from({ length: 1001 }, () => 1),
        ),
      ],
      'small: at most 1000 values at once.',
    ],
    [
      [
        is(
          'small',
          'in',
          Array.from({ length: 1000 }, () => 1),
        ),
      ],
      [1],
    ],
    [[is('small', 'like', '1')], 'small: values of this type cannot be compared by "like".'],
    [[is('flag', 'gt', true)], 'flag: values of this type cannot be compared by "gt".'],
    [[is('data', 'eq', 'x')], 'data: values of this type cannot be compared by "eq".'],
    [[is('bytes', 'in', ['x'])], 'bytes: values of this type cannot be compared by "in".'],
    [[is('text', 'like', 'x'.repeat(1001))], 'text: this must be at most 1000 characters long.'],
    [[is('text', 'like', 'x'.repeat(1000))], []],
    [Array.from({ length: 51 }, () => is('small', 'eq', 2)), 'At most 50 filters at once.'],
    [Array.from({ length: 50 }, () => is('small', 'eq', 2)), [2, 4]],
    [[is('none', 'eq', 2)], 'There is no field "none".'],
  ])('with filters %j gives %j', async (filters, ids) => {
    const { ids: read } = await things()
    expect(await read({ filters })).toEqual(ids)
  })

  it.each<[change: object, ids: readonly number[] | string]>([
    [{ search: 'APPLE' }, [1, 2]],
    [{ search: 'É' }, [3]],
    [{ search: '%_' }, [3]],
    [{ search: 'a', filters: [is('small', 'eq', 2)] }, [2, 4]],
    [{ search: '\u0000' }, 'search: this must not contain NUL or unpaired surrogates.'],
    [{ sort: [{ field: 'small', descending: true }] }, [2, 4, 1, 3]],
    [{ sort: [{ field: 'small', descending: false }] }, [3, 1, 2, 4]],
    [{ sort: [{ field: 'price', descending: false }] }, [3, 1, 2, 4]],
    [{ sort: [{ field: 'price', descending: true }] }, [4, 2, 1, 3]],
    [{ sort: [{ field: 'exact', descending: false }] }, [1, 2, 3, 4]],
    [
      {
        sort: [
          { field: 'small', descending: true },
          { field: 'id', descending: true },
        ],
      },
      [4, 2, 1, 3],
    ],
    [
      {
        sort: [
          { field: 'id', descending: true },
          { field: 'id', descending: false },
        ],
      },
      [4, 3, 2, 1],
    ],
    [{ sort: [{ field: 'data', descending: true }] }, 'data: values of this type cannot be sorted.'],
    [{ sort: [{ field: 'bytes', descending: true }] }, 'bytes: values of this type cannot be sorted.'],
    [
      { sort: Array.from({ length: 11 }, () => ({ field: 'id', descending: true })) },
      'At most 10 fields to sort by at once.',
    ],
    [{ sort: Array.from({ length: 10 }, () => ({ field: 'id', descending: true })) }, [4, 3, 2, 1]],
    [{ limit: 2 }, [1, 2]],
    [{ limit: 2, offset: 1 }, [2, 3]],
    [{ offset: 3 }, [4]],
    [{ limit: 1, offset: 9 }, []],
    [{ limit: 0 }, 'limit: this must be a whole number from 1 to 1000.'],
    [{ limit: 1.5 }, 'limit: this must be a whole number from 1 to 1000.'],
    [{ offset: -1 }, 'offset: this must be a whole number from 0.'],
    [{ offset: 0.5 }, 'offset: this must be a whole number from 0.'],
  ])('with %j gives %j', async (change, ids) => {
    const { ids: read } = await things()
    expect(await read(change)).toEqual(ids)
  })

  it('counts its records with and without filters, on an empty page as well', async () => {
    const { run } = await things()
    const filters = [is('small', 'gt', 0)]
    for (const isWritten of [false, true]) {
      const total = { total: 3, totalNotFiltered: 4 }
      expect(await run(list({ filters, limit: 1 }), isWritten)).toEqual({
        kind: 'list',
        records: [{ id: 1 }],
        ...total,
      })
      expect(await run(list({ filters, offset: 9 }), isWritten)).toEqual({ kind: 'list', records: [], ...total })
    }
  })
})

describe('An aggregate query', () => {
  const types = ['SUM', 'AVG', 'MIN', 'MAX', 'COUNT'] as const
  const numbers = ['small', 'price', 'exact', 'ratio'] as const
  const shop = () =>
    open([thing], build => {
      build.aggregateQueries = [
        {
          name: 'All',
          entity: 'Thing',
          columns: numbers.flatMap(name => types.map(type => ({ field: name, type, alias: `${name}${type}` }))),
        },
        {
          name: 'Days',
          entity: 'Thing',
          columns: [
            { field: 'price', type: 'SUM', alias: 'total' },
            { field: 'day', type: 'GROUPBY', alias: 'day' },
            { field: 'price', type: 'AVG', alias: 'average' },
            { field: 'day', type: 'MAX', alias: 'last' },
          ],
        },
      ]
    })
  const query = (name: string, filters: readonly Filter[] = []) =>
    ({ kind: 'aggregate', entity: 'Thing', query: name, filters }) as const

  it('gives exact sums and averages', async () => {
    const { insert, read, run } = await shop()
    await insert(
      'Thing',
      { small: 1, price: '0.10', exact: '-1.005', ratio: 0.5, day: '2024-01-02' },
      { small: 2, price: '0.20', exact: '-0.00000000000001', ratio: 1, day: '2024-01-01' },
      { small: 2, price: '9999.99', day: '2024-01-02' },
      { small: -10, day: '2024-01-03' },
    )
    const [all] = Object.values((await read(query('All'))) ?? {})
    expect(all).toEqual({
      smallSUM: -5,
      smallAVG: '-1.25',
      smallMIN: -10,
      smallMAX: 2,
      smallCOUNT: 4,
      priceSUM: '10000.29',
      priceAVG: '3333.43',
      priceMIN: '0.1',
      priceMAX: '9999.99',
      priceCOUNT: 3,
      exactSUM: '-1.00500000000001',
      exactAVG: '-0.50250000000001',
      exactMIN: '-1.005',
      exactMAX: '-0.00000000000001',
      exactCOUNT: 2,
      ratioSUM: 1.5,
      ratioAVG: 0.75,
      ratioMIN: 0.5,
      ratioMAX: 1,
      ratioCOUNT: 2,
    })
    expect(await read(query('Days'))).toEqual([
      { total: '0.2', day: '2024-01-01', average: '0.2', last: '2024-01-01' },
      { total: '10000.09', day: '2024-01-02', average: '5000.045', last: '2024-01-02' },
      { total: null, day: '2024-01-03', average: null, last: '2024-01-03' },
    ])
    expect(await run(query('Days', [is('small', 'eq', 2)]))).toEqual({
      kind: 'list',
      records: [
        { total: '0.2', day: '2024-01-01', average: '0.2', last: '2024-01-01' },
        { total: '9999.99', day: '2024-01-02', average: '9999.99', last: '2024-01-02' },
      ],
      total: 2,
      totalNotFiltered: 2,
    })
    const thirds = await read(query('All', [is('small', 'in', [1, 2, -10])]))
    expect(thirds).toMatchObject([{ smallAVG: '-1.25' }])
    expect(await read(query('All', [is('ratio', 'null', false), is('price', 'gt', '0.1')]))).toMatchObject([
      { smallAVG: '2', exactAVG: '-0.00000000000001' },
    ])
    expect(await read(query('None'))).toBe('There is no aggregate query "None".')
  })

  it('of no records has no values', async () => {
    const { read } = await shop()
    const [all] = Object.values((await read(query('All'))) ?? {})
    expect(all).toMatchObject({ smallSUM: null, smallAVG: null, smallMAX: null, smallCOUNT: 0, priceSUM: null })
    expect(await read(query('Days'))).toEqual([])
  })

  it('rounds an average half away from zero', async () => {
    const { insert, read } = await shop()
    await insert('Thing', { exact: '1', small: 1 }, { exact: '1', small: 1 }, { exact: '0', small: 0 })
    const average = async (filters: readonly Filter[]) => read(query('All', filters))
    expect(await average([])).toMatchObject([{ exactAVG: '0.6666666667', smallAVG: '0.6666666667' }])
    await insert('Thing', { exact: '-2', small: -2 }, { exact: '-2', small: -2 }, { exact: '0', small: 0 })
    expect(await average([is('small', 'lte', 0)])).toMatchObject([{ exactAVG: '-1', smallAVG: '-1' }])
    expect(await average([is('id', 'in', [1, 4, 6])])).toMatchObject([{ exactAVG: '-0.3333333333' }])
  })
})
