import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import {
  aggregateLabels,
  defaultAlias,
  identityProvidersOf,
  newConfiguration,
  packagedConfiguration,
  readConfiguration,
  isPlaceholder,
  placeholderOf,
  secretPlaceholder,
  standsForSecret,
  takesApiScopes,
  withoutSecrets,
} from './configuration.ts'
import { defaultOf, valueFault, sqlExportNames } from './sql-export.ts'

describe('the configuration of a manifest', () => {
  it(
    'a new configuration has the documented defaults',
    holds('M3.12', 'M3.13', 'M3.18', 'M3.20', 'M3.21', 'M3.22', 'M3.23', 'M3.26'),
    () => {
      expect(newConfiguration('Shop')).toEqual({
        configurationFormat: 3,
        manifestName: 'Shop',
        packageProperties: {
          connectionPoolInfo: { type: 'MYSQL', url: '', databaseName: '', username: '', password: '' },
          customProperties: [],
        },
        configurationBuild: {
          apiConfiguration: { type: [], security: 'NONE', excludeOperations: [] },
          sqlConfiguration: {
            applyAutoIncrement: true,
            applyCoalesce: false,
            applyLimitOffset: false,
            applyJoin: false,
          },
          sqlExport: Object.fromEntries(sqlExportNames.map(name => [name, defaultOf(name)])),
          serviceConfiguration: { applyMultiTenancy: false, applyCustomField: false, applySot: false, sotEntities: [] },
          aggregateQueries: [],
          apiScopeConfiguration: {
            enableRbac: false,
            identityProvider: 'CADMUS',
            scopeDefinitions: [],
            globalScopes: [],
          },
        },
      })
    },
  )

  it('rejects unknown values of a configuration', holds('M3.17', 'M3.18', 'M3.29', 'M3.34'), () => {
    const build = (configurationBuild: object) => () => readConfiguration({ manifestName: 'Shop', configurationBuild })
    expect(build({ apiConfiguration: { type: ['XML'] } })).toThrow()
    expect(build({ apiConfiguration: { security: 'KERBEROS' } })).toThrow()
    expect(build({ apiScopeConfiguration: { identityProvider: 'OTHER' } })).toThrow()
    const column = (type: string) => ({
      aggregateQueries: [{ name: 'q', entity: 'E', columns: [{ field: 'f', type, alias: 'a' }] }],
    })
    expect(build(column('MEDIAN'))).toThrow()
    for (const type of Object.keys(aggregateLabels)) expect(build(column(type))).not.toThrow()
    expect(build({ apiConfiguration: { type: ['REST', 'SOAP', 'GRAPHQL'], security: 'OAUTH2' } })).not.toThrow()
  })

  it('takes the options of scripts with their values only, and plain names', () => {
    const withOptions = (sqlExport: object) => readConfiguration({ configurationBuild: { sqlExport } })
    expect(withOptions({ naming: 'snake', schema: 'shop_1' }).configurationBuild.sqlExport).toMatchObject({
      naming: 'snake',
      schema: 'shop_1',
      tablePrefix: '',
    })
    for (const schema of ['1a', 'a b', 'a"; DROP', 'é', 'a'.repeat(64)]) expect(() => withOptions({ schema })).toThrow()
    expect(() => withOptions({ naming: 'camel' })).toThrow()
    expect(valueFault('schema', '1a')).toBe(
      'This must contain only letters, digits and underscores, not begin with a digit, and have at most 63 characters.',
    )
  })

  it('is written to packages as before it had options of scripts', () => {
    const { configurationBuild, ...rest } = newConfiguration('Shop')
    const { sqlExport, ...build } = configurationBuild
    const packaged = packagedConfiguration({
      ...rest,
      configurationBuild: { ...build, sqlExport: { ...sqlExport, naming: 'snake' } },
    })
    expect(packaged).toEqual({ ...rest, configurationFormat: 1, configurationBuild: build })
    expect(readConfiguration(packaged)).toEqual(newConfiguration('Shop'))
  })

  it('accepts every spelling of a database type and stores its code', () => {
    const typed = (type: string) =>
      readConfiguration({ packageProperties: { connectionPoolInfo: { type } } }).packageProperties.connectionPoolInfo
        .type
    expect(['mysql', 'PSQL', 'postgres', 'hsqldb', 'oracle12c', 'sqlserver'].map(typed)).toEqual([
      'MYSQL',
      'POSTGRESQL',
      'POSTGRESQL',
      'HSQL',
      'ORACLE',
      'MSSQL',
    ])
    expect(() => typed('db2')).toThrow()
  })

  it('answers a placeholder for every secret', holds('M3.15'), () => {
    const configuration = newConfiguration('Shop')
    configuration.packageProperties.connectionPoolInfo.password = 'hush'
    configuration.packageProperties.customProperties = [
      { name: 'key', value: 'hush', secret: true },
      { name: 'colour', value: 'red', secret: false },
    ]
    const answered = withoutSecrets(configuration)
    expect(JSON.stringify(answered)).not.toContain('hush')
    expect(answered.packageProperties).toMatchObject({
      connectionPoolInfo: { password: secretPlaceholder },
      customProperties: [{ value: '********' }, { value: 'red' }],
    })
    const marked = withoutSecrets(configuration, secret => `for ${secret.length}`)
    expect(marked.packageProperties.connectionPoolInfo.password).toBe('for 4')
    expect(marked.packageProperties.customProperties.map(({ value }) => value)).toEqual(['for 4', 'red'])
    expect(withoutSecrets(newConfiguration('Shop')).packageProperties.connectionPoolInfo.password).toBe('')
  })

  it('the placeholder of a secret is distinguished from similar text', () => {
    const marked = placeholderOf('Aa0_-Aa0_-Aa0_-Aa0_-Aa')
    for (const value of ['********', marked])
      expect([isPlaceholder(value), standsForSecret(value)]).toEqual([true, true])
    for (const value of ['******** Lion-4711', `${marked}x`])
      expect([isPlaceholder(value), standsForSecret(value)]).toEqual([true, false])
    for (const value of ['', '*********', ' ********']) expect(isPlaceholder(value)).toBe(false)
  })

  it('API Scopes require an API with security', () => {
    const configuration = newConfiguration('Shop')
    const { apiConfiguration } = configuration.configurationBuild
    apiConfiguration.type = ['REST']
    expect(takesApiScopes(configuration)).toBe(false)
    apiConfiguration.security = 'OAUTH2'
    expect(takesApiScopes(configuration)).toBe(true)
    apiConfiguration.type = []
    expect(takesApiScopes(configuration)).toBe(false)
  })

  it('BASIC offers only the user directory', holds('M5.29'), () => {
    expect(identityProvidersOf('BASIC')).toEqual(['MARTINI_USER_DIRECTORY'])
    expect(identityProvidersOf('OAUTH2')).toEqual(['CADMUS', 'MARTINI_USER_DIRECTORY'])
  })

  it('aggregates have the documented labels and default aliases', holds('M3.35', 'M3.36'), () => {
    expect(Object.values(aggregateLabels)).toEqual(['Count', 'Sum', 'Min', 'Max', 'Avg', 'Group By'])
    expect(defaultAlias('price', 'SUM')).toBe('priceSum')
    expect(defaultAlias('country', 'GROUPBY')).toBe('countryGroupBy')
  })
})
