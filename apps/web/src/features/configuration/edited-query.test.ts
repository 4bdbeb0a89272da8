import { newConfiguration, type AggregateQuery } from '@cadmus/model/configuration'
import { describe, expect, it } from 'vitest'
import { followed, renamed } from './ConfigurationDocument.tsx'
import { rebaseQuery, currentQuery, replacedBy } from './edited-query.ts'

const n = { field: 'id', type: 'COUNT', alias: 'n' } as const
const query = (name: string, entity: string, columns: AggregateQuery['columns'] = [n]): AggregateQuery => ({
  name,
  entity,
  columns,
})

describe('an aggregate query edited while others change the list', () => {
  const [trips, rides] = [query('howMany', 'Trip'), query('howMany', 'Ride')]

  it('is matched by the current name of its entity, and by position among equal names', () => {
    const now = [query('howMany', 'Journey'), query('howMany', 'Drive')]
    expect(currentQuery(trips, [trips, rides], now)).toBe(now[0])
    expect(currentQuery(rides, [trips, rides], now)).toBe(now[1])
    expect(currentQuery(rides, [trips, rides], [query('howMany', 'Journey'), rides])).toBe(rides)
  })

  it('an edited query is matched after a rename, and is deleted if no query resembles it', () => {
    const renamed = query('count', 'Trip')
    expect(currentQuery(trips, [trips], [renamed])).toBe(renamed)
    expect(currentQuery(trips, [trips, rides], [rides])).toBeUndefined()
    expect(currentQuery(trips, [trips], [query('other', 'Trip', [{ ...n, alias: 'm' }])])).toBeUndefined()
  })

  it('takes over fields that only others changed, with current names', () => {
    const now = query('howMany', 'Ride', [{ ...n, field: 'number' }])
    const sum = { field: 'id', type: 'SUM', alias: 'sum' } as const
    expect(rebaseQuery(query('total', 'Trip', [n, sum]), trips, now)).toEqual(
      query('total', 'Ride', [
        { ...n, field: 'number' },
        { ...sum, field: 'number' },
      ]),
    )
    expect(replacedBy(query('total', 'Ride', now.columns), trips, now)).toBeNull()
  })

  it('reports fields changed by both that Save would replace', () => {
    const theirs = query('counted', 'Trip', [n, { field: 'id', type: 'MAX', alias: 'last' }])
    const mine = rebaseQuery(query('howMany', 'Trip', [{ ...n, alias: 'k' }]), trips, theirs)
    expect(mine.name).toBe('counted')
    expect(replacedBy(mine, trips, theirs)).toBe('n: Count id\nlast: Max id')
    expect(replacedBy(query('total', 'Trip'), trips, query('counted', 'Trip'))).toBe('counted')
  })
})

describe('names used only in a draft of a configuration', () => {
  it('names in a draft follow a renamed entity; the server renames names in the saved configuration', () => {
    const names = renamed(
      [
        { id: 1, name: 'Trip' },
        { id: 2, name: 'Bus' },
        { id: 3, name: 'Van' },
      ],
      [
        { id: 1, name: 'Ride' },
        { id: 2, name: 'Coach' },
        { id: 3, name: 'Truck' },
        { id: 4, name: 'van' },
      ],
    )
    expect([...names]).toEqual([
      ['trip', 'Ride'],
      ['bus', 'Coach'],
    ])
    const [base, content] = [newConfiguration('Fleet'), newConfiguration('Fleet')]
    base.configurationBuild.aggregateQueries = [query('buses', 'Bus')]
    content.configurationBuild.aggregateQueries = [query('buses', 'Bus'), query('trips', 'Trip')]
    content.configurationBuild.apiConfiguration.excludeOperations = ['Trip.get', 'Bus.get', 'Van.get']
    const { configurationBuild: build } = followed(base, content, names)
    expect(build.aggregateQueries.map(({ entity }) => entity)).toEqual(['Bus', 'Ride'])
    expect(build.apiConfiguration.excludeOperations).toEqual(['Ride.get', 'Bus.get', 'Van.get'])
  })
})
