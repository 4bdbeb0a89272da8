import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { addEntityVersion, addRelationship, createEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { errorAnswer } from '@cadmus/model/contract/shared'
import { messages } from '@cadmus/model/messages'
import { allCalls } from '@cadmus/model/testing/calls'
import { purposes } from '@cadmus/model/type-attribute'
import { holds } from '@cadmus/testing/holds'
import { ConsoleClient } from '../testing/client.ts'
import { bootstrapToken, describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addPredefined, aRelationship, type EntityBody, saveBody, typeAttributeBody } from '../testing/entities.ts'

/** Keeps every field of the raw answer. */
const record = z.looseObject({})
const bare = z.object({
  entity: record.extend({ typeAttributes: z.array(record), entityAttributes: z.array(record) }),
})

describeOnBothStores.whenProving('Fields of an entity and of the bodies that create it', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let address: EntityAnswer
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    address = await create('Address', { typeAttributes: [{ name: 'street' }, { name: 'city' }] })
  })
  afterAll(() => server.stop())

  const create = async (name: string, entity: Partial<EntityBody['entity']> = {}): Promise<EntityAnswer> =>
    (await designer.call(createEntity, { body: { entity: { name, ...entity } } })).entity
  const get = async (id: number) => (await designer.call(getEntity, { params: { id } })).entity
  const save = async (entity: EntityAnswer, changes: Partial<EntityBody['entity']>) => {
    const body = saveBody(entity, changes)
    await designer.call(updateEntity, { params: { id: entity.id }, body, ifMatch: '*' })
    return get(entity.id)
  }
  /** Returns the paths of a rejection's errors; throws if the request succeeds. */
  const wrongPlaces = async (response: Promise<Response>): Promise<string[]> => {
    const refused = await response
    expect(refused.status).toBe(400)
    return (errorAnswer.parse(await refused.json()).errors ?? []).map(error => error.path)
  }

  /** A relationship in the wire format with all fields. */
  const wireShape = {
    associatedEntityName: 'Address',
    associatedEntityPath: 'user-defined/Address',
    associatedEntityTypeAttribute: 'id',
    description: 'Where the customer lives.',
    traitReference: 'means.location.address',
    simple: 'false',
    foreignKeyAttribute: { purpose: 'locatedAt', dataType: 'integer', typeAttributeName: 'homeId' },
    version: '1.0.0',
  }

  it('typeAttributes and entityAttributes are lists, empty without attributes', holds('E3.8', 'E3.9'), async () => {
    const empty = await designer.send(getEntity, {
      params: { id: await addPredefined(server, { name: 'Bare', typeAttributes: [] }) },
    })
    expect(await empty.json()).toMatchObject({ entity: { typeAttributes: [], entityAttributes: [] } })
    const filled = await create('Filled', { entityAttributes: [aRelationship(address, 'addressId')] })
    expect(filled.typeAttributes.map(item => item.name)).toEqual(['id'])
    expect(filled.entityAttributes.map(item => item.foreignKeyTypeAttribute)).toEqual(['addressId'])
  })

  it('a custom entity is EXCLUSIVE by default; unknown types are rejected', holds('E3.14', 'E7.79'), async () => {
    expect((await get((await create('Unsaid')).id)).type).toBe('EXCLUSIVE')
    const input = { entity: { name: 'Said' }, type: 'EXCLUSIVE' as const }
    const { entity } = await designer.call(createEntity, { body: input })
    expect((await get(entity.id)).type).toBe('EXCLUSIVE')
    const other = designer.send(createEntity, { body: { entity: { name: 'Other' }, type: 'OTHER' } })
    expect(await wrongPlaces(other)).toEqual(['type'])
  })

  it.each([
    ['selectOperationScopes', ['read']],
    ['selectAllOperationScopes', ['read']],
    ['deleteOperationScopes', ['write']],
    ['insertOperationScopes', ['write']],
    ['updateOperationScopes', ['write']],
  ])(
    '%s keeps the list and changes no other',
    holds('E3.21', 'E3.22', 'E3.23', 'E3.24', 'E3.25'),
    async (operation, scopes) => {
      const before = await create(`With_${operation}`)
      const after = await save(before, { operationScopes: { ...before.operationScopes, [operation]: scopes } })
      expect(after.operationScopes).toEqual({ ...before.operationScopes, [operation]: scopes })
    },
  )

  it('operationScopes maps the five operations and is saved completely', holds('M3.32', 'E7.75'), async () => {
    const entity = await create('Scoped')
    const none = { selectOperationScopes: [], selectAllOperationScopes: [], deleteOperationScopes: [] }
    expect(entity.operationScopes).toEqual({ ...none, insertOperationScopes: [], updateOperationScopes: [] })
    const operationScopes = {
      selectOperationScopes: ['read'],
      selectAllOperationScopes: ['read', 'list'],
      deleteOperationScopes: ['remove'],
      insertOperationScopes: ['write'],
      updateOperationScopes: ['write', 'change'],
    }
    expect((await save(entity, { operationScopes })).operationScopes).toEqual(operationScopes)
  })

  it('a type attribute keeps its name, description and ordered choices', holds('E3.28', 'E3.34', 'E3.39'), async () => {
    const before = await create('Ticket', { typeAttributes: [{ name: 'title' }] })
    const [key, title] = before.typeAttributes.map(typeAttributeBody)
    const changes = { description: 'What it is about.', choices: ['Open', 'Closed', 'Another'] }
    const after = await save(before, { typeAttributes: [key!, { ...title!, ...changes }] })
    expect(after.typeAttributes[1]).toMatchObject({ name: 'title', ...changes })
  })

  it('all seven purposes are kept; others are rejected', holds('E3.32'), async () => {
    const seven = ['hasA', 'identifiedBy', 'locatedAt', 'namedBy', 'orderedBy']
    expect(purposes.toSorted()).toEqual([...seven, 'representsCorrelatedStatusWith', 'representsStateWith'])
    const typeAttributes = purposes.map(purpose => ({ name: `a_${purpose}`, dataType: 'string' as const, purpose }))
    const entity = await create('Purposes', { typeAttributes })
    const stored = entity.typeAttributes.filter(item => item.name !== 'id').map(item => item.purpose)
    expect(stored).toEqual([...purposes])
    const body = { entity: { name: 'Purposes', typeAttributes: [{ name: 'title', purpose: 'ownedBy' }] } }
    const other = designer.send(updateEntity, { params: { id: entity.id }, body, ifMatch: '*' })
    expect(await wrongPlaces(other)).toEqual(['entity.typeAttributes.0.purpose'])
  })

  it(
    'a relationship in the wire format is returned with the fields of the record',
    holds('E3.52', 'E3.53', 'E3.54', 'E3.55', 'E3.56', 'E3.43', 'E3.44', 'E3.46', 'E3.47'),
    async () => {
      const { id } = await create('Customer')
      const body = { associatedEntityId: address.id, ...wireShape }
      const response = await designer.send(addRelationship, { params: { id }, body, ifMatch: '*' })
      expect(response.status).toBe(200)
      const entity = await get(id)
      const { entityAttributes } = entity
      expect(entityAttributes).toMatchObject([
        {
          associatedEntity: { id: address.id, name: 'Address', path: 'user-defined/Address' },
          associatedEntityTypeAttribute: 'id',
          description: 'Where the customer lives.',
          traitReference: 'means.location.address',
          simple: 'false',
          foreignKeyTypeAttribute: 'homeId',
          foreignKeyPurpose: 'locatedAt',
          foreignKeyDataType: 'integer',
        },
      ])
      expect(await response.json()).toEqual({ entityAttribute: entityAttributes[0], entity })
    },
  )

  it(
    'each field of the wire format is validated under its name',
    holds('E3.52', 'E3.53', 'E3.54', 'E3.55', 'E3.56', 'E3.46'),
    async () => {
      const { id } = await create('Careful')
      const { foreignKeyAttribute, ...flat } = wireShape
      const nonsense: [string, object][] = [
        ...Object.keys(flat).map((field): [string, object] => [field, { [field]: 5 }]),
        ['simple', { simple: true }],
        ...Object.keys(foreignKeyAttribute).map((field): [string, object] => [
          `foreignKeyAttribute.${field}`,
          { foreignKeyAttribute: { ...foreignKeyAttribute, [field]: 5 } },
        ]),
      ]
      for (const [path, change] of nonsense) {
        const body = { associatedEntityId: address.id, ...wireShape, ...change }
        expect(await wrongPlaces(designer.send(addRelationship, { params: { id }, body, ifMatch: '*' }))).toEqual([
          path,
        ])
      }
      expect((await get(id)).entityAttributes).toEqual([])
    },
  )

  it('the version in a relationship selects the edited version: an old one is locked', holds('E3.58'), async () => {
    const { id } = await create('Versioned')
    await designer.call(addEntityVersion, { params: { id }, query: { version: '1.1.0' } })
    const body = (version: string) => ({ associatedEntityId: address.id, ...wireShape, version })
    const old = await designer.send(addRelationship, { params: { id }, body: body('1.0.0'), ifMatch: '*' })
    expect(old.status).toBe(403)
    expect(await old.json()).toMatchObject({ message: messages.locked.version })
    const latest = await designer.send(addRelationship, { params: { id }, body: body('1.1.0'), ifMatch: '*' })
    expect(latest.status).toBe(200)
    expect((await get(id)).entityAttributes).toHaveLength(1)
  })

  it('a relationship in the body is created, at creation and at a save', holds('E7.74'), async () => {
    const made = await create('Made', { entityAttributes: [aRelationship(address, 'firstId')] })
    const saved = await save(made, {
      entityAttributes: [...saveBody(made).entity.entityAttributes!, aRelationship(address, 'secondId')],
    })
    expect(saved.entityAttributes.map(item => item.foreignKeyTypeAttribute)).toEqual(['firstId', 'secondId'])
    expect(saved.entityAttributes[0]).toEqual(made.entityAttributes[0])
  })

  it('traits is returned beside the entity and is empty', holds('E7.77'), async () => {
    const body = { entity: { name: 'Traitless' }, traits: [] }
    const { entity } = await designer.call(createEntity, { body })
    expect(entity.name).toBe('Traitless')
    const filled = { entity: { name: 'WithTraits' }, traits: ['is.nothing'] }
    expect(await wrongPlaces(designer.send(createEntity, { body: filled }))).toEqual(['traits'])
  })

  it('the answer of an entity has every field of the record under `entity`', holds('E7.6'), async () => {
    const { id } = await create('Whole', { entityAttributes: [aRelationship(address, 'addressId')] })
    const response = await designer.browser.fetch(`/1.0/cdm/entity/${id}`, {
      headers: { 'X-Organisation-Code': 'ACME' },
    })
    expect(response.status).toBe(200)
    const { entity } = bare.parse(await response.json())
    const fields = 'id name path description extendsEntity imports typeAttributes entityAttributes primaryKey isDefault'
    const more = 'type targetManifest content versions latestVersion currentVersion operationScopes'
    expect(Object.keys(entity)).toEqual(expect.arrayContaining(`${fields} ${more}`.split(' ')))
    const attribute =
      'name dataType purpose description nullable isDefault isPrimaryKey choices maxLength appliedTraits'
    expect(Object.keys(entity.typeAttributes[0] ?? {})).toEqual(expect.arrayContaining(attribute.split(' ')))
    const relationship = 'associatedEntity associatedEntityTypeAttribute description traitReference simple isDefault'
    const foreignKey = 'foreignKeyTypeAttribute foreignKeyPurpose foreignKeyDataType'
    const expected = expect.arrayContaining(`${relationship} ${foreignKey}`.split(' '))
    expect(Object.keys(entity.entityAttributes[0] ?? {})).toEqual(expected)
  })

  it('a version is returned as frozen, the latest by default; an unknown one is 404', holds('E7.8'), async () => {
    const first = await create('Dated', { description: 'First.' })
    const { id } = first
    await designer.call(addEntityVersion, { params: { id }, query: { version: '1.1.0' } })
    await save(await get(id), { description: 'Second.' })
    const at = (version?: string) => designer.call(getEntity, { params: { id }, query: { version } })
    expect((await at('1.0.0')).entity).toMatchObject({ description: 'First.', currentVersion: '1.0.0' })
    expect((await at()).entity).toMatchObject({ description: 'Second.', currentVersion: '1.1.0' })
    expect(await at('1.1.0')).toEqual(await at())
    const unknown = await designer.refusal(getEntity, { params: { id }, query: { version: '1.0.1' } })
    expect(unknown.status).toBe(404)
  })

  const userCalls = Object.values(allCalls).filter(
    ({ tag, access, path }) => tag === 'Entities' && access === 'user' && path.includes('/entity'),
  )
  const input = { params: { id: 1, folder: 'predefined', associatedEntityId: 1 } }
  const form = { files: { entityFile: { name: 'a.json', bytes: new Uint8Array([123, 125]) } } }

  it.each(userCalls)('$id requires a session and an organisation of the user', holds('E7.3', 'E7.4'), async call => {
    const requested = call.files === undefined ? input : { ...input, ...form }
    const { browser, userId } = designer
    const status = async (client: ConsoleClient) => (await client.send(call, requested)).status
    expect(await status(new ConsoleClient(browser, userId, undefined))).toBe(403)
    expect(await status(new ConsoleClient(browser, userId, 'GLOBEX'))).toBe(403)
    expect(await status(new ConsoleClient(server.visitor(), '', 'ACME'))).toBe(401)
  })

  it('a script sends its token instead of the cookie', holds('E7.4'), async () => {
    const authorization = `Bearer ${bootstrapToken}`
    const script = new ConsoleClient(server.visitor(), 'bootstrap', 'ACME', { authorization })
    expect((await script.call(getEntity, { params: { id: address.id } })).entity).toEqual(address)
    const wrong = new ConsoleClient(server.visitor(), '', 'ACME', { authorization: 'Bearer nonsense' })
    expect((await wrong.send(getEntity, { params: { id: address.id } })).status).toBe(401)
  })
})
