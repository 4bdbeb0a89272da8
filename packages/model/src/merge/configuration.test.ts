import { describe, expect, it } from 'vitest'
import { type AggregateQuery, type Configuration, newConfiguration } from '../configuration.ts'
import { isSecretField, mergeConfigurations, mergeConfigurationsTaking } from './configuration.ts'

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
    expect(excludeOperations?.toSorted()).toEqual(['A.get', 'D.get', 'E.get'])
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
      const taken = mergeConfigurationsTaking(side, base, mine, theirs)
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
    const back = mergeConfigurationsTaking('theirs', base, mine, theirs)
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
    expect(rowsOf(mergeConfigurationsTaking('mine', ...sides))).toEqual([['key', 'typed', true]])
    expect(rowsOf(mergeConfigurationsTaking('theirs', ...sides))).toEqual([['key', '', false]])
    const opened = [rows(['key', '******** a', true]), rows(['key', 'typed', true]), rows(['key', 'open'])] as const
    expect(mergeConfigurations(...opened).conflicts).toHaveLength(1)
    expect(rowsOf(mergeConfigurationsTaking('mine', ...opened))).toEqual([['key', 'typed', true]])
    expect(rowsOf(mergeConfigurationsTaking('theirs', ...opened))).toEqual([['key', 'open', false]])
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
  })
})
