import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { createManifest, removeEntityFromManifest, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import { buildManifest, compareBuild, getBuildSettings, listPackages } from '@cadmus/model/contract/package'
import type { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship, type EntityBody, saveBody } from '../testing/entities.ts'
import { built } from '../testing/packages.ts'

type Attribute = NonNullable<EntityBody['entity']['typeAttributes']>[number]

let server: TestConsole
let designer: ConsoleClient
let manifest: number
let client: number
let visit: number
beforeAll(async () => {
  server = await startConsole()
  designer = await server.as('designer')
  manifest = (await designer.call(createManifest, { body: { manifestName: 'Crm' } })).manifest.id
  client = await entityOf('Client', [
    { name: 'fullName', dataType: 'string', maxLength: 50, isNullable: false },
    { name: 'mail', dataType: 'string', maxLength: 80, isNullable: true },
    { name: 'level', dataType: 'string', isNullable: true, choices: ['plain', 'gold'] },
    { name: 'points', dataType: 'integer', isNullable: true },
  ])
  visit = await entityOf('Visit', [{ name: 'note', dataType: 'string', isNullable: true }])
  await save(visit, body => ({
    entityAttributes: [...(body.entityAttributes ?? []), aRelationship({ id: client }, 'clientId')],
  }))
  await configure({})
  const requested = await designer.call(buildManifest, { params: { id: manifest }, body: {} })
  await built(designer, requested.packageId)
})
afterAll(() => server.stop())
beforeEach(() => server.advance(4000))

async function entityOf(name: string, typeAttributes: Attribute[]): Promise<number> {
  return (await designer.call(createEntity, { body: { entity: { name, typeAttributes }, targetManifestId: manifest } }))
    .entity.id
}

async function save(id: number, change: (entity: EntityBody['entity']) => Partial<EntityBody['entity']>) {
  const { entity } = await designer.call(getEntity, { params: { id } })
  const body = saveBody(entity)
  const changed = { ...body, entity: { ...body.entity, ...change(body.entity) } }
  await designer.call(updateEntity, { params: { id }, body: changed, ifMatch: '*' })
  return () => designer.call(updateEntity, { params: { id }, body: saveBody(entity), ifMatch: '*' })
}

const attribute = (name: string, change: (attribute: Attribute) => Attribute | null) => () =>
  save(client, ({ typeAttributes = [] }) => ({
    typeAttributes: typeAttributes.flatMap(one => (one.name === name ? (change(one) ?? []) : [one])),
  }))

const first = {
  apiConfiguration: {
    excludeOperations: [],
    type: ['REST', 'SOAP'] as ('REST' | 'SOAP')[],
    security: 'OAUTH2' as const,
  },
  sqlConfiguration: { applyJoin: true },
  apiScopeConfiguration: { enableRbac: true, identityProvider: 'CADMUS' as const, scopeDefinitions: ['crm.read'] },
  aggregateQueries: [
    { name: 'perLevel', entity: 'Client', columns: [{ field: 'level', type: 'GROUPBY' as const, alias: 'level' }] },
  ],
}

async function configure(change: object): Promise<void> {
  const body = { manifestName: 'Crm', configurationBuild: { ...first, ...change } }
  await designer.call(saveManifestConfiguration, { params: { id: manifest }, body, ifMatch: '*' })
}

const configured = (change: object) => async () => {
  await configure(change)
  return () => configure({})
}

async function compared(body: object = {}) {
  return (await designer.call(compareBuild, { params: { id: manifest }, body })).suggestion
}

it('an unchanged or extended API suggests no major version, and comparing builds nothing', async () => {
  expect(await compared()).toBeNull()
  const undo = await save(client, ({ typeAttributes = [] }) => ({
    typeAttributes: [...typeAttributes, { name: 'phone', dataType: 'string', isNullable: true }],
  }))
  expect(await compared()).toBeNull()
  await undo()
  const { packages } = await designer.call(listPackages, {})
  expect(packages.map(({ versions }) => versions)).toEqual([['1.0.0']])
})

it.each<[string, () => Promise<() => Promise<unknown>>, string[]]>([
  [
    'a field is called otherwise',
    attribute('mail', one => ({ ...one, name: 'email' })),
    ['Client.mail was renamed to email.'],
  ],
  ['a field goes', attribute('mail', () => null), ['Client.mail was removed.']],
  [
    'a field is of another type',
    attribute('points', one => ({ ...one, dataType: 'double' })),
    ['The type of Client.points was changed.'],
  ],
  [
    'a field must have a value',
    attribute('mail', one => ({ ...one, isNullable: false })),
    ['Client.mail is now required.'],
  ],
  [
    'a field may be missing',
    attribute('fullName', one => ({ ...one, isNullable: true })),
    ['Client.fullName may now be null.'],
  ],
  [
    'a field is shorter',
    attribute('fullName', one => ({ ...one, maxLength: 20 })),
    ['Client.fullName now accepts at most 20 characters.'],
  ],
  ['a field must be unique', attribute('mail', one => ({ ...one, unique: true })), ['Client.mail must now be unique.']],
  [
    'a choice goes',
    attribute('level', one => ({ ...one, choices: ['plain'] })),
    ['Client.level now accepts fewer values.'],
  ],
  [
    'an entity is called otherwise',
    () => save(client, () => ({ name: 'Customer' })),
    ['Client was renamed to Customer.', 'Visit.client was renamed to customer.'],
  ],
  [
    'a relation goes',
    () => save(visit, () => ({ entityAttributes: [] })),
    ['Client.visit was removed.', 'Visit.clientId was removed.', 'Visit.client was removed.'],
  ],
  [
    'an operation is excluded',
    configured({ apiConfiguration: { ...first.apiConfiguration, excludeOperations: ['Client.id.delete'] } }),
    ['Client no longer has the operation delete.'],
  ],
  [
    'a protocol goes',
    configured({ apiConfiguration: { ...first.apiConfiguration, type: ['REST'] } }),
    ['SOAP is no longer served.'],
  ],
  [
    'the security is another one',
    configured({
      apiConfiguration: { ...first.apiConfiguration, security: 'BASIC' },
      apiScopeConfiguration: { ...first.apiScopeConfiguration, identityProvider: 'MARTINI_USER_DIRECTORY' },
    }),
    ['The security changed from OAUTH2 to BASIC.'],
  ],
  [
    'an operation needs a scope',
    () => save(visit, () => ({ operationScopes: { selectOperationScopes: ['crm.read'] } })),
    ['The operation select of Visit now requires one of the scopes crm.read.'],
  ],
  ['joins go', configured({ sqlConfiguration: { applyJoin: false } }), ['Related records are no longer included.']],
  ['an aggregate query goes', configured({ aggregateQueries: [] }), ['Client.perLevel was removed.']],
])('a breaking change suggests the next major version: %s', async (_what, change, reasons) => {
  const undo = await change()
  try {
    expect(await compared()).toEqual({ version: '2.0.0', reasons })
    expect((await designer.call(getBuildSettings, { params: { id: manifest } })).suggestion?.reasons).toEqual(reasons)
  } finally {
    await undo()
  }
  expect(await compared()).toBeNull()
})

it('a comparison includes submitted settings, like a build', async () => {
  const input = (type: string[]) => ({
    manifestProperties: [
      { manifestName: 'Crm', configurationBuild: { ...first, apiConfiguration: { ...first.apiConfiguration, type } } },
    ],
  })
  expect(await compared(input(['SOAP', 'REST', 'GRAPHQL']))).toBeNull()
  expect((await compared(input(['SOAP'])))?.reasons).toEqual(['REST is no longer served.'])
  expect((await compared({ publishAs: 'DB_STRUCTURE' }))?.reasons).toEqual([
    'REST is no longer served.',
    'SOAP is no longer served.',
  ])
  expect(await compared({ customPackageName: 'another' })).toBeNull()
})

it('an entity removed from the manifest is a breaking change', async () => {
  await designer.call(removeEntityFromManifest, { params: { id: manifest, entityId: visit } })
  expect((await compared())?.reasons).toEqual(['Client.visit was removed.', 'Visit was removed.'])
})
