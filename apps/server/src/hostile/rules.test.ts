import {
  addRelationship,
  createEntity,
  createEntityByWizard,
  getEntity,
  updateEntity,
  updateRelationship,
} from '@cadmus/model/contract/entity'
import { type EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import {
  addSubManifests,
  createManifest,
  createManifestByWizard,
  getManifestConfiguration,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { newConfiguration, readConfiguration, type Configuration } from '@cadmus/model/configuration'
import { holds } from '@cadmus/testing/holds'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, aRelationship, type EntityBody, organisationId, saveBody } from '../testing/entities.ts'
import { expectRejection, rowCounts } from '../testing/rejections.ts'

const patternMessage = expect.stringContaining(
  'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.',
)
const outsidePattern = [
  '1abc',
  '_abc',
  'a-b',
  'a b',
  'a.b',
  'abc_',
  'a__b',
  'Kün',
  'a\u0000b',
  'a\nb',
  'a\u202eb',
  'a\ud800b',
  'a🙂b',
  'ａｂｃ',
  'a\u200bb',
  "a'b",
  'a"b',
  'a`b',
  'a;b',
  '../ab',
  '__proto__',
  "x'; drop table entity; --",
]
const tooLong = ['x'.repeat(10_000), '\u0000'.repeat(10_000), '🙂'.repeat(10_000)]

type Fields = EntityBody['entity']

describeOnBothStores.whenProving('The API applies each rule of document 1 §5 and 2 §5:', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let target: EntityAnswer
  let holder: EntityAnswer
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    target = (await designer.call(createEntity, { body: { entity: { name: 'Target' } } })).entity
    const typeAttributes = [{ name: 'code' }, { name: 'other' }]
    const entityAttributes = [aRelationship(target, 'firstId')]
    const body = { entity: { name: 'Holder', typeAttributes, entityAttributes } }
    holder = (await designer.call(createEntity, { body })).entity
  })
  afterAll(() => server.stop())
  beforeEach(() => server.advance(4000))

  /** Messages of a change that is rejected with 400 and stores nothing. */
  async function refused(send: () => Promise<Response>): Promise<string[]> {
    const before = await rowCounts(server)
    const { status, message, errors } = await expectRejection(await send())
    expect([status, await rowCounts(server)]).toEqual([400, before])
    expect(message.endsWith(errors?.[0]?.message ?? message)).toBe(true)
    return (errors ?? [{ message }]).map(error => error.message)
  }

  const creating = (entity: Fields) => refused(() => designer.send(createEntity, { body: { entity } }))
  const saving = (changes: Partial<Fields>) =>
    refused(() =>
      designer.send(updateEntity, { params: { id: holder.id }, body: saveBody(holder, changes), ifMatch: '*' }),
    )
  const relating = (foreignKey: string, more: object = {}) =>
    refused(() =>
      designer.send(addRelationship, {
        params: { id: holder.id },
        body: { ...aRelationship(target, foreignKey), ...more },
        ifMatch: '*',
      }),
    )
  const rerelating = (foreignKey: string, more: object = {}) =>
    refused(() =>
      designer.send(updateRelationship, {
        params: { id: holder.id, associatedEntityId: target.id },
        query: { associatedAttributeName: 'firstId' },
        body: { ...aRelationship(target, foreignKey), ...more },
        ifMatch: '*',
      }),
    )

  it.each(outsidePattern)(
    '%j is an invalid name of an entity, attribute, key or manifest',
    holds('E5.1', 'E5.2', 'E5.3', 'E5.4', 'E5.5', 'E5.6', 'E5.16', 'E5.22', 'E5.24', 'M5.6', 'M5.7', 'M5.8'),
    async name => {
      expect(await creating({ name })).toContainEqual(patternMessage)
      expect(await saving({ name })).toContainEqual(patternMessage)
      expect(await creating({ name: 'Fresh', typeAttributes: [{ name }] })).toContainEqual(patternMessage)
      expect(await creating({ name: 'Fresh', entityAttributes: [aRelationship(target, name)] })).toContainEqual(
        patternMessage,
      )
      expect(await relating(name)).toContainEqual(patternMessage)
      expect(await rerelating(name)).toContainEqual(patternMessage)
      for (const call of [createManifest, createManifestByWizard]) {
        expect(await refused(() => designer.send(call, { body: { manifestName: name } }))).toContainEqual(
          patternMessage,
        )
        const body = { manifestName: 'FreshManifest', exclusiveEntities: [name] }
        expect(await refused(() => designer.send(call, { body }))).toContainEqual(patternMessage)
      }
    },
  )

  it.each(['', ' ', '\t\n'])(
    'the name %j is missing: a name is required',
    holds('E5.7', 'E5.14', 'E5.20', 'M5.1', 'M5.2'),
    async name => {
      const required = 'this is a required field'
      expect(await creating({ name })).toContain(required)
      expect(await creating({ name: 'Fresh', typeAttributes: [{ name }] })).toContain(required)
      expect(await relating(name)).toContain(required)
      expect(await rerelating(name)).toContain(required)
      expect(await refused(() => designer.send(createManifest, { body: { manifestName: name } }))).toContain(required)
    },
  )

  it.each(['x', ...tooLong])(
    'a name that is too short or too long is rejected',
    holds('E5.8', 'E5.9', 'E5.15', 'E5.21', 'E5.24', 'E5.28', 'M5.3', 'M5.4', 'M5.5'),
    async name => {
      expect(await creating({ name })).toContainEqual(expect.stringMatching(/^this must be 2 to 120 characters long\./))
      const bounds = expect.stringMatching(/^this must be 2 to 50 characters long\./)
      expect(await creating({ name: 'Fresh', typeAttributes: [{ name }] })).toContainEqual(bounds)
      expect(await relating(name)).toContainEqual(bounds)
      expect(await rerelating(name)).toContainEqual(bounds)
      expect(await relating('secondId', { associatedEntityTypeAttribute: name })).toContainEqual(bounds)
      expect(await refused(() => designer.send(createManifest, { body: { manifestName: name } }))).toContainEqual(
        bounds,
      )
    },
  )

  it(
    'an entity name is unique within its manifest only, and an entity does not conflict with itself',
    holds('E5.10', 'E5.12', 'E5.11'),
    async () => {
      const manifest = await addManifest(server, 'NamesOne')
      const another = await addManifest(server, 'NamesTwo')
      const make = (name: string, targetManifestId: number) =>
        designer.send(createEntityByWizard, { body: { entity: { name }, targetManifestId } })
      const first = createEntity.answer.parse(await (await make('Customer', manifest)).json()).entity
      expect(await refused(() => make('Customer', manifest))).toEqual([
        'An entity with the name "Customer" already exists.',
      ])
      expect(await refused(() => make('cuSTOMER', manifest))).toEqual([
        'An entity with the name "cuSTOMER" already exists.',
      ])
      expect((await make('Customer', another)).status).toBe(200)
      const body = saveBody(first, { description: 'described' })
      await designer.call(updateEntity, { params: { id: first.id }, body, ifMatch: '*' })
    },
  )

  it('attribute names are unique', holds('E5.17'), async () => {
    for (const name of ['code', 'CODE', ' code ']) {
      const messages = await creating({ name: 'Fresh', typeAttributes: [{ name: 'code' }, { name }] })
      expect(messages[0]).toMatch(/^A type attribute with the name "(code|CODE)" already exists\.$/)
      const typeAttributes = [...(saveBody(holder).entity.typeAttributes ?? []), { name }]
      expect((await saving({ typeAttributes }))[0]).toMatch(
        /^A type attribute with the name "(code|CODE)" already exists\.$/,
      )
    }
  })

  it.each(['12a', '-1', '1.5', '1e3', '0x10', '٣', '99999999999999999999', -1, 1.5, 2 ** 53, 0])(
    '%j is an invalid max length',
    holds('E5.18'),
    async maxLength => {
      const [message = ''] = await creating({ name: 'Fresh', typeAttributes: [{ name: 'code', maxLength }] })
      expect(message).toMatch(
        /^this must contain only digits\.$|^this must be a number from 1 to 2147483647\.$|^This value is not allowed\.$|^This must be at (most|least)/,
      )
    },
  )

  it.each(['boolean', 'double', 'dateTime', 'float'] as const)(
    'a key of the type %s is rejected',
    holds('E5.19'),
    async dataType => {
      const key = { name: 'key', dataType, purpose: 'identifiedBy' as const }
      expect(await creating({ name: 'Fresh', typeAttributes: [key] })).toContain(
        'The primary key must be an integer or a string.',
      )
      const typeAttributes = (saveBody(holder).entity.typeAttributes ?? []).map(item =>
        item.name === 'id' ? { ...item, dataType } : item,
      )
      expect(await saving({ typeAttributes })).toContain('The primary key must be an integer or a string.')
    },
  )

  it('foreign key names are unique', holds('E5.23', 'E5.26'), async () => {
    for (const name of ['firstId', 'FIRSTID']) {
      const taken = `A relationship with the foreign key "${name}" already exists.`
      expect(await relating(name)).toContain(taken)
      expect(
        await creating({
          name: 'Fresh',
          entityAttributes: [aRelationship(target, 'firstId'), aRelationship(target, name)],
        }),
      ).toContain(taken)
    }
  })

  it('the primary key cannot be a foreign key', holds('E5.25'), async () => {
    const message = 'Primary key should not be used as foreign key type attribute'
    for (const name of ['id', 'ID']) {
      expect(await relating(name)).toContain(message)
      expect(await rerelating(name)).toContain(message)
    }
  })

  it(
    'a relationship requires an entity and one of its attributes',
    holds('E5.27', 'E5.28', 'E5.29', 'E5.30'),
    async () => {
      expect(await relating('secondId', { associatedEntityId: -1 })).toContain('Required')
      expect(await rerelating('firstId', { associatedEntityId: -1 })).toContain('Required')
      expect(await relating('secondId', { associatedEntityId: 987_654_321 })).toContain(
        'The associated entity was not found.',
      )
      expect(await relating('secondId', { associatedEntityTypeAttribute: '' })).toContain('this is a required field')
      expect(await relating('secondId', { associatedEntityTypeAttribute: 'nothing' })).toContain(
        'Target has no attribute "nothing".',
      )
    },
  )

  it('the associated entity cannot be the entity itself', holds('E5.35'), async () => {
    const message = 'The associated entity cannot be the parent entity itself.'
    expect(await relating('secondId', { associatedEntityId: holder.id })).toContain(message)
    expect(await saving({ entityAttributes: [aRelationship(holder, 'selfId')] })).toContain(message)
  })

  it('an entity cannot extend itself or its subtypes', async () => {
    expect(await saving({ extendsEntity: { id: holder.id } })).toEqual([
      expect.stringMatching(/^Holder already extends Holder\.$/),
    ])
    const body = { entity: { name: 'Child', extendsEntity: { id: holder.id } } }
    await designer.call(createEntity, { body })
    const child = (await designer.call(createEntity, { body: { entity: { ...body.entity, name: 'Child2' } } })).entity
    expect(await saving({ extendsEntity: { id: child.id } })).toEqual(['Child2 already extends Holder.'])
    expect(await saving({ extendsEntity: { id: 987_654_321 } })).toEqual(['The entity to extend was not found.'])
  })

  it.each([5, 'read', { 0: 'read' }, [5], [null], [['read']]])(
    'scopes must be a list of texts, not %j',
    holds('E5.36'),
    async scopes => {
      const body = saveBody(holder)
      const given = { ...body, entity: { ...body.entity, operationScopes: { selectOperationScopes: scopes } } }
      const messages = await refused(() =>
        designer.send(updateEntity, { params: { id: holder.id }, body: given, ifMatch: '*' }),
      )
      expect(messages).toEqual(['Scopes must be an array of strings'])
    },
  )

  it('choices are unique', holds('E5.37'), async () => {
    const typeAttributes = [{ name: 'state', choices: ['Open', 'Open'] }]
    expect(await creating({ name: 'Fresh', typeAttributes })).toContain('A choice with the name "Open" already exists.')
  })

  it('a manifest cannot be its own sub-manifest', holds('M5.10'), async () => {
    const id = await addManifest(server, 'Selfish')
    expect(
      await refused(() => designer.send(addSubManifests, { params: { id }, body: { submanifests: [id] } })),
    ).toEqual(["You can't select the same manifest as your sub-manifest."])
  })

  it('manifest names are unique in the organisation', holds('M5.1', 'M5.4'), async () => {
    await addManifest(server, 'TakenName')
    const body = { manifestName: 'takenNAME' }
    expect(await refused(() => designer.send(createManifest, { body }))).toEqual([
      'A manifest with the name "takenNAME" already exists.',
    ])
  })

  const configured = async (id: number, change: (build: Configuration['configurationBuild']) => void) => {
    const configuration = readConfiguration(
      (await designer.call(getManifestConfiguration, { params: { id } })).manifestProperties,
    )
    change(configuration.configurationBuild)
    return designer.send(saveManifestConfiguration, { params: { id }, body: configuration, ifMatch: '*' })
  }

  it(
    'an aggregate query requires a name, an entity, columns and unique aliases',
    holds('M5.11', 'M5.12', 'M5.13', 'M5.14'),
    async () => {
      const id = await addManifest(server, 'Aggregates')
      const column = { field: 'total', type: 'SUM' as const, alias: 'totalSum' }
      const query = { name: 'totals', entity: 'Order', columns: [column] }
      for (const [wrong, message] of [
        [{ ...query, name: ' ' }, 'this is a required field'],
        [{ ...query, entity: '' }, 'this is a required field'],
        [{ ...query, columns: [] }, 'An aggregate query requires at least one column.'],
        [{ ...query, columns: [column, column] }, 'A column with the alias "totalSum" already exists.'],
        [{ ...query, columns: [{ ...column, alias: '' }] }, 'this is a required field'],
      ] as const) {
        const send = () =>
          configured(id, build => void (build.aggregateQueries = [{ ...wrong, columns: [...wrong.columns] }]))
        expect(await refused(send)).toContain(message)
        const properties = newConfiguration('WizardAggregates')
        properties.configurationBuild.aggregateQueries = [{ ...wrong, columns: [...wrong.columns] }]
        const body = { manifestName: 'WizardAggregates', manifestProperties: properties }
        expect(await refused(() => designer.send(createManifestByWizard, { body }))).toContain(message)
      }
      expect((await configured(id, build => void (build.aggregateQueries = [query]))).status).toBe(200)
    },
  )

  it('a scope in use cannot be removed', holds('M5.26', 'M5.27', 'M5.28'), async () => {
    const id = await addManifest(server, 'Scoped')
    const scopes = (definitions: string[], globals: string[] = []) =>
      configured(id, build => {
        build.apiScopeConfiguration.scopeDefinitions = definitions
        build.apiScopeConfiguration.globalScopes = globals
      })
    const message = 'Cannot remove scope "read" because it is used in Global Scopes or Entity Scopes.'
    expect((await scopes(['read', 'write'], ['read'])).status).toBe(200)
    expect(await refused(() => scopes(['write'], ['read']))).toContain(message)
    expect((await scopes(['read', 'write'])).status).toBe(200)
    await designer.call(createEntity, {
      body: { entity: { name: 'Guarded', operationScopes: { selectOperationScopes: ['read'] } }, targetManifestId: id },
    })
    expect(await refused(() => scopes(['write']))).toEqual([message])
    expect((await scopes(['read'])).status).toBe(200)
    expect(await refused(() => scopes(['read', 'read']))).toContain('A scope with the name "read" already exists.')
    expect(await refused(() => scopes(['read'], ['none']))).toContain('The scope "none" is not defined.')
  })

  it(
    'features outside the licence are rejected; features saved before the licence was reduced are kept',
    holds('M6.2'),
    async () => {
      const id = await addManifest(server, 'Licensed')
      const { shared } = server.context.store
      const organisation = await organisationId(server)
      const licence = (limits: string) =>
        shared.updateTable('organisation').set({ licence_limits: limits }).where('id', '=', organisation).execute()
      const types = (type: ('REST' | 'GRAPHQL' | 'SOAP')[], url = '') =>
        configured(id, build => {
          build.apiConfiguration.type = type
          build.aggregateQueries =
            url === '' ? [] : [{ name: url, entity: 'Any', columns: [{ field: 'f', type: 'COUNT', alias: 'a' }] }]
        })
      expect((await types(['REST'])).status).toBe(200)
      await licence('mc=50|rs=0|gqls=0|db=postgresql')
      expect((await types(['REST'], 'changed')).status).toBe(200)
      expect(await refused(() => types(['REST', 'GRAPHQL']))).toEqual([
        'The licence of the organisation does not include GraphQL: it allows SOAP.',
      ])
      expect((await types(['SOAP'])).status).toBe(200)
      expect(await refused(() => types(['REST']))).toEqual([
        'The licence of the organisation does not include REST: it allows SOAP.',
      ])
      await licence('mc=50|rs=1|gqls=1|db=mysql~hsql~oracle~postgresql~mssql')
    },
  )

  it('the entity is unchanged after all rejections', async () => {
    const { entity } = await designer.call(getEntity, { params: { id: holder.id } })
    expect(entity).toEqual(holder)
  })
})
