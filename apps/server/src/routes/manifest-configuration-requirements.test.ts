import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { aggregateTypes } from '@cadmus/model/configuration'
import { getManifestConfiguration, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import { errorAnswer } from '@cadmus/model/contract/shared'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest } from '../testing/entities.ts'

const query = {
  name: 'totals',
  entity: 'Order',
  columns: [
    { field: 'country', type: 'GROUPBY', alias: 'countryGroupBy' },
    { field: 'price', type: 'SUM', alias: 'revenue' },
  ],
}

/** Valid values in configurationBuild. */
const stored: [string, object][] = [
  [
    'the service options and the entities of the source of truth',
    {
      serviceConfiguration: {
        applyMultiTenancy: true,
        applyCustomField: true,
        applySot: true,
        sotEntities: ['Customer', 'Account'],
      },
    },
  ],
  ['an aggregate query with name, entity and columns of field, type and alias', { aggregateQueries: [query] }],
  ['role-based access', { apiScopeConfiguration: { ...scopes([], []), enableRbac: true } }],
  [
    'the user directory as identity provider',
    { apiScopeConfiguration: { ...scopes([], []), identityProvider: 'MARTINI_USER_DIRECTORY' } },
  ],
  ['scope definitions', { apiScopeConfiguration: scopes(['write', 'read'], []) }],
  ['global scopes', { apiScopeConfiguration: scopes(['write', 'read', 'list'], ['list', 'read']) }],
]

/** Invalid values, with the path of the error. */
const refused: [string, object, string][] = [
  ['a switch that is a text', { serviceConfiguration: { applySot: 'yes' } }, 'serviceConfiguration.applySot'],
  ['an entity that is a number', { serviceConfiguration: { sotEntities: [5] } }, 'serviceConfiguration.sotEntities.0'],
  ['a query without columns', { aggregateQueries: [{ name: 'a', entity: 'b' }] }, 'aggregateQueries.0.columns'],
  [
    'a column without an alias',
    { aggregateQueries: [{ ...query, columns: [{ field: 'price', type: 'SUM' }] }] },
    'aggregateQueries.0.columns.0.alias',
  ],
  [
    'a type that is none',
    { aggregateQueries: [{ ...query, columns: [{ field: 'price', type: 'MEDIAN', alias: 'median' }] }] },
    'aggregateQueries.0.columns.0.type',
  ],
  [
    'an access switch that is a number',
    { apiScopeConfiguration: { enableRbac: 1 } },
    'apiScopeConfiguration.enableRbac',
  ],
  [
    'an identity provider that is none',
    { apiScopeConfiguration: { identityProvider: 'OTHER' } },
    'apiScopeConfiguration.identityProvider',
  ],
  [
    'a scope that is a number',
    { apiScopeConfiguration: { scopeDefinitions: [1] } },
    'apiScopeConfiguration.scopeDefinitions.0',
  ],
  ['a scope that is empty', { apiScopeConfiguration: scopes([''], []) }, 'apiScopeConfiguration.scopeDefinitions'],
  [
    'a scope with blanks around it',
    { apiScopeConfiguration: scopes(['  pad  '], []) },
    'apiScopeConfiguration.scopeDefinitions',
  ],
  ['an API type that is there twice', { apiConfiguration: { type: ['SOAP', 'SOAP'] } }, 'apiConfiguration.type'],
  [
    'an entity of the source of truth without a name',
    { serviceConfiguration: { sotEntities: [''] } },
    'serviceConfiguration.sotEntities',
  ],
  [
    'a global scope that is not defined',
    { apiScopeConfiguration: scopes(['read'], ['write']) },
    'apiScopeConfiguration.globalScopes',
  ],
]

describeOnBothStores.whenProving('The fields of a configuration', store => {
  let server: TestConsole
  let admin: ConsoleClient
  let id: number
  let count = 0
  beforeAll(async () => {
    server = await startConsole({ store })
    admin = await server.as('admin')
  })
  beforeEach(async () => {
    id = await addManifest(server, `Configured${++count}`, 'CADMUS')
  })
  afterAll(() => server.stop())

  const save = (configurationBuild: object) =>
    admin.send(saveManifestConfiguration, { params: { id }, body: { configurationBuild }, ifMatch: '*' })
  const read = async () => (await admin.call(getManifestConfiguration, { params: { id } })).manifestProperties

  it.each(stored)(
    '%s: saved values are returned, and kept if omitted',
    holds('M3.24', 'M3.25', 'M3.27', 'M3.28', 'M3.29', 'M3.30', 'M3.31', 'M3.33'),
    async (_title, build) => {
      expect((await save(build)).status).toBe(200)
      const saved = await read()
      for (const [part, value] of Object.entries(build)) {
        expect(saved).toHaveProperty(['configurationBuild', part], value)
      }
      expect((await save({})).status).toBe(200)
      expect(await read()).toEqual(saved)
    },
  )

  it.each(refused)(
    '%s is rejected with its path',
    holds('M3.24', 'M3.25', 'M3.27', 'M3.28', 'M3.29', 'M3.30', 'M3.31', 'M3.33', 'M3.34'),
    async (_title, build, path) => {
      const before = await read()
      const answer = await save(build)
      expect(answer.status).toBe(400)
      const { errors } = errorAnswer.parse(await answer.json())
      expect(errors?.map(error => error.path)).toEqual([`configurationBuild.${path}`])
      expect(await read()).toEqual(before)
    },
  )

  it.each(['COUNT', 'SUM', 'MIN', 'MAX', 'AVG', 'GROUPBY'])(
    'the aggregate type %s is accepted',
    holds('M3.34'),
    async type => {
      expect(aggregateTypes).toContain(type)
      const aggregateQueries = [{ ...query, columns: [{ field: 'price', type, alias: 'priced' }] }]
      expect((await save({ aggregateQueries })).status).toBe(200)
      expect(await read()).toMatchObject({ configurationBuild: { aggregateQueries } })
    },
  )
})

function scopes(scopeDefinitions: string[], globalScopes: string[]) {
  return { enableRbac: false, identityProvider: 'CADMUS', scopeDefinitions, globalScopes }
}
