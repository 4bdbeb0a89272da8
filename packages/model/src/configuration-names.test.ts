import { describe, expect, it } from 'vitest'
import { newConfiguration, type Configuration } from './configuration.ts'
import { renamingBetween, withNewNames } from './configuration-names.ts'

function naming(entity: string, key: string, field: string): Configuration {
  const configuration = newConfiguration('Shop')
  const { apiConfiguration, serviceConfiguration } = configuration.configurationBuild
  apiConfiguration.excludeOperations = [`${entity}.${key}.get`, 'Order.get']
  serviceConfiguration.sotEntities = [entity]
  configuration.configurationBuild.aggregateQueries = [
    { name: 'q', entity, columns: [{ field, type: 'COUNT', alias: 'n' }] },
  ]
  return configuration
}

describe('Renames in a configuration', () => {
  it('are applied to every place, including names not saved yet', () => {
    const names = renamingBetween(naming('Customer', 'id', 'city'), naming('Client', 'number', 'town'))
    if (!names) throw new Error('The names did not change.')
    const mine = naming('customer', 'ID', 'City')
    mine.configurationBuild.aggregateQueries.push({
      name: 'mine',
      entity: 'Customer',
      columns: [{ field: 'id', type: 'COUNT', alias: 'n' }],
    })
    const renamed = withNewNames(mine, names).configurationBuild
    expect(renamed.apiConfiguration.excludeOperations).toEqual(['Client.number.get', 'Order.get'])
    expect(renamed.serviceConfiguration.sotEntities).toEqual(['Client'])
    expect(renamed.aggregateQueries.map(({ entity, columns }) => [entity, columns[0]?.field])).toEqual([
      ['Client', 'town'],
      ['Client', 'number'],
    ])
  })

  it('unchanged names and names of another configuration have no renames', () => {
    const before = naming('Customer', 'id', 'city')
    expect(renamingBetween(before, structuredClone(before))).toBeNull()
    const other = structuredClone(before)
    other.configurationBuild.aggregateQueries = []
    expect(renamingBetween(before, other)).toBeNull()
    const longer = naming('Client', 'id', 'city')
    longer.configurationBuild.aggregateQueries[0]?.columns.push({ field: 'x', type: 'COUNT', alias: 'x' })
    expect(renamingBetween(before, longer)).toBeNull()
  })
})
