import { describe, expect, it } from 'vitest'
import { type AggregateQuery, type Configuration, newConfiguration } from '../configuration.ts'
import { conflictValue, isSecretField, mergeConfigurations, mergeConfigurationsTakingTheirs } from './configuration.ts'

type Build = Configuration['configurationBuild']
const start = newConfiguration('Shop')

function changed(change: (build: Build, properties: Configuration['packageProperties']) => void): Configuration {
  const next = structuredClone(start)
  change(next.configurationBuild, next.packageProperties)
  return next
}

const query = (name: string, field = 'id'): AggregateQuery => ({
  name,
  entity: 'Order',
  columns: [{ field, type: 'COUNT', alias: 'n' }],
})

describe('The merge of configurations', () => {
  it('keeps additions of either side to a list and drops removals of either side', () => {
    const base = changed(build => void (build.apiConfiguration.excludeOperations = ['A.get', 'B.get', 'C.get']))
    const mine = structuredClone(base)
    mine.configurationBuild.apiConfiguration.excludeOperations = ['A.get', 'C.get', 'D.get']
    mine.configurationBuild.aggregateQueries = [query('mine')]
    const theirs = structuredClone(base)
    theirs.configurationBuild.apiConfiguration.excludeOperations = ['E.get', 'A.get', 'B.get']
    theirs.configurationBuild.aggregateQueries = [query('theirs')]
    const { merged } = mergeConfigurations(base, mine, theirs)
    const { excludeOperations } = merged?.configurationBuild.apiConfiguration ?? {}
    expect(excludeOperations).toEqual(['E.get', 'A.get', 'D.get'])
    expect(merged?.configurationBuild.aggregateQueries.map(({ name }) => name).toSorted()).toEqual(['mine', 'theirs'])
  })

  it('reports a conflict if both sides changed one query or value, and can take either side', () => {
    const base = changed(build => void (build.aggregateQueries = [query('total')]))
    const sides = [
      { field: 'price', url: 'mine', scope: 'read' },
      { field: 'amount', url: 'theirs', scope: 'write' },
    ].map(({ field, url, scope }) => {
      const next = structuredClone(base)
      next.configurationBuild.aggregateQueries = [query('total', field)]
      next.packageProperties.connectionPoolInfo.url = url
      next.configurationBuild.apiScopeConfiguration.scopeDefinitions = [scope]
      return next
    })
    const [mine = base, theirs = base] = sides
    const { conflicts } = mergeConfigurations(base, mine, theirs)
    expect(conflicts?.map(({ path, field }) => [path, field])).toEqual([
      ['packageProperties.connectionPoolInfo', 'url'],
      ['configurationBuild.aggregateQueries.order: total', 'columns'],
    ])
    for (const [side, one] of [
      ['mine', mine],
      ['theirs', theirs],
    ] as const) {
      const taken = mergeConfigurationsTakingTheirs(base, side === 'mine' ? theirs : mine, one)
      expect(taken.packageProperties.connectionPoolInfo.url).toBe(side)
      expect(taken.configurationBuild.aggregateQueries).toEqual(one.configurationBuild.aggregateQueries)
      const { scopeDefinitions } = taken.configurationBuild.apiScopeConfiguration
      expect(scopeDefinitions.toSorted()).toEqual(['read', 'write'])
    }
  })

  it('reports a conflict if one side removed an item that the other changed', () => {
    const base = changed(build => void (build.aggregateQueries = [query('total')]))
    const mine = structuredClone(base)
    mine.configurationBuild.aggregateQueries = []
    const theirs = structuredClone(base)
    theirs.configurationBuild.aggregateQueries = [query('total', 'price')]
    expect(mergeConfigurations(base, mine, theirs).conflicts).toMatchObject([{ field: 'deleted', mine: null }])
    const back = mergeConfigurationsTakingTheirs(base, mine, theirs)
    expect(back.configurationBuild.aggregateQueries).toEqual(theirs.configurationBuild.aggregateQueries)
  })

  it('keeps the order of properties, also of unnamed ones, and treats repeated names as one field', () => {
    const property = (name: string, value = '') => ({ name, value, secret: false })
    const base = changed((_build, properties) => void (properties.customProperties = [property('a'), property('')]))
    const mine = structuredClone(base)
    mine.packageProperties.customProperties = [property('a', '1'), property(''), property('b')]
    const theirs = structuredClone(base)
    theirs.packageProperties.customProperties = [property('c'), property('a'), property('')]
    const { merged } = mergeConfigurations(base, mine, theirs)
    expect(merged?.packageProperties.customProperties).toEqual([
      property('c'),
      property('a', '1'),
      property(''),
      property('b'),
    ])
    theirs.packageProperties.customProperties = [property('a'), property('a')]
    const { conflicts } = mergeConfigurations(base, mine, theirs)
    expect(conflicts).toMatchObject([{ path: 'packageProperties', field: 'customProperties' }])
  })

  const rows = (...list: readonly (readonly [name: string, value: string, secret?: boolean])[]) =>
    changed((_build, properties) => {
      properties.customProperties = list.map(([name, value, secret = false]) => ({ name, value, secret }))
    })
  const rowsOf = (configuration: Configuration | undefined) =>
    configuration?.packageProperties.customProperties.map(({ name, value, secret }) => [name, value, secret])

  it('never reveals a value typed as secret, even if the other side changed its flag', () => {
    const sides = [rows(['key', '', true]), rows(['key', 'typed', true]), rows(['key', ''])] as const
    const { conflicts } = mergeConfigurations(...sides)
    expect(conflicts).toMatchObject([{ path: 'packageProperties.customProperties.key', field: 'value' }])
    const [base, typed, cleared] = sides
    expect(rowsOf(mergeConfigurationsTakingTheirs(base, cleared, typed))).toEqual([['key', 'typed', true]])
    expect(rowsOf(mergeConfigurationsTakingTheirs(...sides))).toEqual([['key', '', false]])
    const opened = [rows(['key', '******** a', true]), rows(['key', 'typed', true]), rows(['key', 'open'])] as const
    expect(mergeConfigurations(...opened).conflicts).toHaveLength(1)
    expect(rowsOf(mergeConfigurationsTakingTheirs(opened[0], opened[2], typed))).toEqual([['key', 'typed', true]])
    expect(rowsOf(mergeConfigurationsTakingTheirs(...opened))).toEqual([['key', 'open', false]])
  })

  it('finds no conflict in any number of empty rows', () => {
    const base = rows(['a', '1'], ['', ''])
    const mine = rows(['a', '2'], ['', ''], ['', ''], ['', '', true])
    const theirs = rows(['a', '1'], ['b', '1'])
    const { merged } = mergeConfigurations(base, mine, theirs)
    expect(rowsOf(merged)?.filter(([name]) => name !== '')).toEqual([
      ['a', '2', false],
      ['b', '1', false],
    ])
    const typed = mergeConfigurations(base, rows(['a', '1'], ['', 'half']), theirs)
    expect(rowsOf(typed.merged)).toContainEqual(['', 'half', false])
    const cleared = mergeConfigurations(rows(['', 'x']), rows(['', '']), rows(['', 'x']))
    expect(rowsOf(cleared.merged)).toEqual([['', '', false]])
  })

  it('identifies the secret fields of a configuration', () => {
    const withSecret = changed((_build, properties) => {
      properties.customProperties = [
        { name: 'key', value: 'x', secret: true },
        { name: 'open', value: 'x', secret: false },
      ]
    })
    const at = (path: string, field: string) => isSecretField({ path, field }, [start, withSecret])
    expect(at('packageProperties.connectionPoolInfo', 'password')).toBe(true)
    expect(at('packageProperties.connectionPoolInfo', 'url')).toBe(false)
    expect(at('packageProperties.customProperties.key', 'deleted')).toBe(true)
    expect(at('packageProperties.customProperties.open', 'value')).toBe(false)
    expect(at('packageProperties', 'customProperties')).toBe(true)
    expect(at('configurationBuild.aggregateQueries.key', 'columns')).toBe(false)
  })
})

type Row = readonly [name: string, value: string, secret?: boolean]
type Rows = readonly Row[]

function withRows(list: Rows): Configuration {
  return changed((_build, properties) => {
    properties.customProperties = list.map(([name, value, secret = false]) => ({ name, value, secret }))
  })
}

describe('The merge of properties', () => {
  it.each<[title: string, base: Rows, one: Rows, other: Rows, merged: Rows]>([
    ['an empty row filled by one side', [['', '']], [['', 'half']], [['', '']], [['', 'half']]],
    ['an empty row flagged by one side', [['', '']], [['', '', true]], [['', '']], [['', '', true]]],
    ['an empty row flagged by one side and removed by the other', [['', '']], [['', '', true]], [], []],
    ['an empty row added by one side', [], [['', '']], [], [['', '']]],
    ['a row added by one side, and an empty one by the other', [], [['', 'x']], [['', '']], [['', 'x']]],
    ['the same row added by both', [], [['n', '1']], [['n', '1']], [['n', '1']]],
    [
      'a row removed by one side',
      [
        ['a', '1'],
        ['b', '1'],
      ],
      [['b', '1']],
      [
        ['a', '1'],
        ['b', '1'],
      ],
      [['b', '1']],
    ],
    ['a row removed by both', [['a', '1']], [], [], []],
    ['a row changed by one side', [['a', '1']], [['a', '2']], [['a', '1']], [['a', '2']]],
    [
      'a secret typed by one side',
      [['k', 'a', true]],
      [['k', 'typed', true]],
      [['k', 'a', true]],
      [['k', 'typed', true]],
    ],
    [
      'a flag set by one side and a value by the other',
      [['k', 'x']],
      [['k', 'x', true]],
      [['k', 'y']],
      [['k', 'y', true]],
    ],
    [
      'a secret emptied by one side and shown by the other',
      [['k', 'x', true]],
      [['k', '', true]],
      [['k', 'x']],
      [['k', '']],
    ],
    [
      'a name repeated by one side',
      [['a', '1']],
      [
        ['a', '1'],
        ['a', '2'],
      ],
      [['a', '1']],
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    [
      'a name no longer repeated',
      [
        ['a', '1'],
        ['a', '2'],
      ],
      [['a', '1']],
      [
        ['a', '1'],
        ['a', '2'],
      ],
      [['a', '1']],
    ],
    [
      'rows moved by one side',
      [
        ['a', ''],
        ['b', ''],
      ],
      [
        ['b', ''],
        ['a', ''],
      ],
      [
        ['a', ''],
        ['b', ''],
      ],
      [
        ['b', ''],
        ['a', ''],
      ],
    ],
  ])('has %s, whichever side it is', (_title, base, one, other, merged) => {
    for (const [mine, theirs] of [
      [one, other],
      [other, one],
    ] as const) {
      const sides = [withRows(base), withRows(mine), withRows(theirs)] as const
      expect(mergeConfigurations(...sides)).toEqual({ merged: withRows(merged) })
      expect(mergeConfigurationsTakingTheirs(...sides)).toEqual(withRows(merged))
    }
  })

  const [rowOf, at] = [
    ([name, value, secret = false]: Row) => ({ name, value, secret }),
    'packageProperties.customProperties.',
  ]

  it.each<[title: string, base: Rows, mine: Rows, theirs: Rows, conflicts: object[]]>([
    [
      'values changed by both',
      [
        ['a', '1'],
        ['b', '1', true],
      ],
      [
        ['a', '2'],
        ['b', '2', true],
      ],
      [
        ['a', '3'],
        ['b', '3'],
      ],
      [
        { path: `${at}a`, field: 'value', base: '1', mine: '2', theirs: '3' },
        { path: `${at}b`, field: 'value', base: '1', mine: '2', theirs: '3' },
      ],
    ],
    [
      'a typed secret that the other side would show, beside another conflict',
      [
        ['a', '1'],
        ['k', '', true],
      ],
      [
        ['a', '2'],
        ['k', 'typed', true],
      ],
      [
        ['a', '3'],
        ['k', ''],
      ],
      [
        { path: `${at}a`, field: 'value', base: '1', mine: '2', theirs: '3' },
        { path: `${at}k`, field: 'value', base: '', mine: 'typed', theirs: '' },
      ],
    ],
    [
      'a row removed by one side and changed by the other',
      [
        ['a', '1'],
        ['b', '1'],
      ],
      [['b', '2']],
      [['a', '2']],
      [
        { path: `${at}a`, field: 'deleted', base: rowOf(['a', '1']), mine: null, theirs: rowOf(['a', '2']) },
        { path: `${at}b`, field: 'deleted', base: rowOf(['b', '1']), mine: rowOf(['b', '2']), theirs: null },
      ],
    ],
    [
      'an empty row filled by both',
      [['', '']],
      [['', 'x']],
      [['', 'y']],
      [{ path: at, field: 'value', base: null, mine: 'x', theirs: 'y' }],
    ],
    [
      'a row added by both with different secrets',
      [],
      [['k', 'x', true]],
      [['k', 'x']],
      [{ path: `${at}k`, field: 'secret', base: null, mine: true, theirs: false }],
    ],
  ])('reports %s', (_title, base, mine, theirs, conflicts) => {
    const sides = [withRows(base), withRows(mine), withRows(theirs)] as const
    expect(mergeConfigurations(...sides).conflicts).toEqual(conflicts)
    const taken = mergeConfigurationsTakingTheirs(...sides)
    expect(taken.packageProperties.customProperties).toEqual(theirs.map(rowOf))
  })
})

describe('The merge of word lists', () => {
  const withWords = (words: string) => changed(build => void (build.serviceConfiguration.sotEntities = [...words]))
  const merged = (...sides: [base: string, mine: string, theirs: string]) => {
    const [base, mine, theirs] = sides.map(withWords)
    const { serviceConfiguration } = mergeConfigurations(base!, mine!, theirs!).merged?.configurationBuild ?? {}
    return serviceConfiguration?.sotEntities.join('')
  }

  it('takes the list of the only side that changed it', () => {
    for (const list of ['', 'ba', 'aab'])
      expect([merged('ab', list, 'ab'), merged('ab', 'ab', list)]).toEqual([list, list])
  })

  it('contains the words of both sides in an order that fits both, or in mine if there is none', () => {
    expect(merged('abc', 'cab', 'abcd')).toBe('cabd')
    expect(merged('abcde', 'dabce', 'adbc')).toBe('dabc')
    expect(merged('abcd', 'abc', 'abdx')).toBe('abx')
  })
})

describe('A conflict of configurations', () => {
  it.each<[path: string, field: keyof Build[keyof Build] | string, change: (build: Build, value: string) => void]>([
    [
      'configurationBuild.apiConfiguration',
      'security',
      (build, value) => Object.assign(build.apiConfiguration, { security: value }),
    ],
    [
      'configurationBuild.sqlConfiguration',
      'applyJoin',
      (build, value) => Object.assign(build.sqlConfiguration, { applyJoin: value }),
    ],
    [
      'configurationBuild.serviceConfiguration',
      'applySot',
      (build, value) => Object.assign(build.serviceConfiguration, { applySot: value }),
    ],
    [
      'configurationBuild.apiScopeConfiguration',
      'identityProvider',
      (build, value) => Object.assign(build.apiScopeConfiguration, { identityProvider: value }),
    ],
  ])('names the field by its path: %s.%s', (path, field, change) => {
    const [mine, theirs] = ['mine', 'theirs'].map(value => changed(build => change(build, value)))
    const [conflict] = mergeConfigurations(start, mine!, theirs!).conflicts ?? []
    expect(conflict).toMatchObject({ path, field, mine: 'mine', theirs: 'theirs' })
    expect(conflictValue({ path, field }, mine!)).toBe('mine')
  })

  it('about the manifest is reported at the field manifestName', () => {
    const [mine, theirs] = ['mine', 'theirs'].map(manifestName => ({ ...start, manifestName }))
    const conflict = { path: '', field: 'manifestName' }
    expect(mergeConfigurations(start, mine!, theirs!).conflicts).toEqual([
      { ...conflict, base: 'Shop', mine: 'mine', theirs: 'theirs' },
    ])
    expect(conflictValue(conflict, mine!)).toBe('mine')
  })

  it('contains the values of a query or property by its name, and no value where it is missing', () => {
    const configuration = changed((build, properties) => {
      build.aggregateQueries = [query('first'), query('total', 'price')]
      properties.customProperties = [
        { name: 'x', value: '0', secret: false },
        { name: 'a.b', value: '1', secret: false },
      ]
    })
    const { aggregateQueries } = configuration.configurationBuild
    const { customProperties } = configuration.packageProperties
    const valueAt = (path: string, field: string) => conflictValue({ path, field }, configuration)
    const [queries, properties] = ['configurationBuild.aggregateQueries', 'packageProperties.customProperties']
    expect(valueAt(`${queries}.order: total`, 'columns')).toEqual(aggregateQueries[1]?.columns)
    expect(valueAt(`${queries}.order: total`, 'deleted')).toBe(aggregateQueries[1])
    expect(valueAt(`${queries}.order: other`, 'columns')).toBeUndefined()
    expect(valueAt(`${properties}.a.b`, 'value')).toBe('1')
    expect(valueAt(`${properties}.a.b`, 'deleted')).toBe(customProperties[1])
    expect(valueAt(`${properties}.c`, 'value')).toBeUndefined()
    expect(valueAt('packageProperties', 'customProperties')).toBe(customProperties)
    expect(valueAt('packageProperties.nothing.more', 'value')).toBeUndefined()
  })

  it('in the order of queries is resolved by taking mine', () => {
    const withQueries = (names: string) =>
      changed(build => void (build.aggregateQueries = [...names].map(name => query(name))))
    const [base, mine, theirs] = ['abcd', 'dabc', 'adbc'].map(withQueries)
    expect(mergeConfigurations(base!, mine!, theirs!)).toEqual({ merged: mine })
  })
})
