import { newConfiguration } from '@cadmus/model/configuration'
import { describe, expect, it } from 'vitest'
import {
  openBuild,
  manifestWithProblem,
  sentConfiguration,
  versionProblem,
  withDatabaseName,
  withProperties,
  withType,
} from './build-flow.ts'

const shop = newConfiguration('Shop')
const pool = shop.packageProperties.connectionPoolInfo

describe('the version of a build', () => {
  it('must be a semantic version that has not been built', () => {
    expect(versionProblem('1.x', [])).toBe('Invalid version pattern.')
    expect(versionProblem('', [])).toBe('Invalid version pattern.')
    expect(versionProblem('1.0.0', ['1.0.1', '1.0.0'])).toBe('this version is already built')
    expect(versionProblem('1.0.2', ['1.0.1', '1.0.0'])).toBeNull()
  })
})

describe('the connection of a build', () => {
  it('takes the URL template of the chosen database type', () => {
    expect(withType({ ...pool, databaseName: 'shop' }, 'postgresql')).toMatchObject({
      type: 'POSTGRESQL',
      url: 'jdbc:postgresql://localhost:5432/shop',
    })
  })
  it('follows the database name only while its URL is the template', () => {
    const template = withType(pool, 'postgresql')
    expect(withDatabaseName(template, 'sales').url).toBe('jdbc:postgresql://localhost:5432/sales')
    const own = { ...template, url: 'jdbc:postgresql://db.test:5432/x' }
    expect(withDatabaseName(own, 'sales')).toMatchObject({ databaseName: 'sales', url: own.url })
  })
})

describe('the request of a build', () => {
  it('has one configuration per manifest, by name, without empty property rows', () => {
    const form = openBuild({
      nodes: [],
      configurations: [shop, newConfiguration('Catalogue')],
      version: '1.0.0',
      takenVersions: [],
      suggestion: null,
    })
    expect([...form.configurations.keys()]).toEqual(['Shop', 'Catalogue'])
    const blank = { name: '', value: '', secret: false }
    const filled = withProperties(shop, { customProperties: [blank, { name: 'a', value: 'b', secret: false }] })
    expect(sentConfiguration(filled).packageProperties.customProperties).toEqual([
      { name: 'a', value: 'b', secret: false },
    ])
  })
  it('names the manifest that has a value without a name', () => {
    const wrong = withProperties(shop, { customProperties: [{ name: '', value: 'b', secret: false }] })
    const at = { nodes: [], version: '1.0.0', takenVersions: [], suggestion: null }
    expect(manifestWithProblem(openBuild({ ...at, configurations: [shop] }))).toBeNull()
    expect(manifestWithProblem(openBuild({ ...at, configurations: [newConfiguration('Catalogue'), wrong] }))).toBe(
      'Shop',
    )
  })
})
