import { adminUpdateEntityContent } from '@cadmus/model/contract/admin-documents'
import {
  adminGetOrganisation,
  adminListMembers,
  adminSetMember,
  adminUpdateOrganisation,
} from '@cadmus/model/contract/admin-organisation'
import type { Call } from '@cadmus/model/contract/call'
import { allCalls } from '@cadmus/model/testing/calls'
import {
  addEntityVersion,
  createEntity,
  getEntity,
  updateEntity,
  updateRelationship,
} from '@cadmus/model/contract/entity'
import {
  addManifestVersion,
  createManifestByWizard,
  getManifest,
  getManifestConfiguration,
  saveManifestConfiguration,
  updateManifest,
} from '@cadmus/model/contract/manifest'
import { signInHeader } from '@cadmus/model/contract/routes'
import { errorAnswer } from '@cadmus/model/contract/shared'
import { isEqual, isRecord } from '@cadmus/model/equal'
import { messages } from '@cadmus/model/messages'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'
import { addPredefined, aRelationship, organisationId } from '../testing/entities.ts'

type Json = Record<string, unknown>
type State = { body: Json; etag: string }

/** A resource returned by a GET and accepted by a save. */
type Resource = {
  name: string
  save: Call
  client: () => ConsoleClient
  read: () => Promise<State>
  /** Parameters of the saving call. */
  parameters: () => Promise<{ params?: Json; query?: Json }>
  /** Paths of the body's objects whose properties are tested individually. */
  parts: readonly (readonly (string | number)[])[]
  /** Paths of further objects whose properties are only omitted. */
  inner?: readonly (readonly (string | number)[])[]
  /** Derived properties, ignored by a save except for those of `compared`. */
  derived?: readonly string[]
  /** Derived properties that a save must not change, because their value at the base is known. */
  compared?: readonly string[]
  /** Properties that depend on others: an order, or values without effect for a data type. */
  spared?: readonly string[]
}

describe('Saving the answer of a GET', () => {
  let server: TestConsole
  let console: ConsoleClient
  let designer: ConsoleClient
  let admin: ConsoleClient
  let acme = 0
  let count = 1
  const ids = { entity: 0, predefined: 0, parent: 0, target: 0, manifest: 0 }
  beforeAll(async () => {
    server = await startConsole({ env: { CADMUS_DEMO_PERMISSIONS: 'none' } })
    admin = await server.as('admin', 'ACME')
    console = new ConsoleClient(admin.browser, admin.userId, undefined, { [signInHeader]: '1' })
    designer = await server.as('designer')
    acme = await organisationId(server)
    for (const { userId } of [admin, designer]) {
      const params = { code: 'ACME', userId }
      await console.call(adminSetMember, { params, body: { subscription: 1 }, ifMatch: '*' })
    }
    await fill()
  })
  afterAll(() => server.stop())
  beforeEach(() => server.advance(4000))

  async function fill() {
    ids.predefined = await addPredefined(server, { name: 'Core' })
    const manifestProperties = {
      packageProperties: {
        connectionPoolInfo: { password: 'Tiger-9213', url: 'jdbc:mysql://db/shop' },
        customProperties: [{ name: 'key', value: 'Lion-4711', secret: true }],
      },
      configurationBuild: { apiConfiguration: { type: ['REST' as const] } },
    }
    const { manifest } = await designer.call(createManifestByWizard, { body: { manifestName: 'Ward' } })
    const subManifests = [manifest.id]
    const body = { manifestName: 'Clinic', description: 'All of it', subManifests, manifestProperties }
    ids.manifest = (await designer.call(createManifestByWizard, { body })).manifest.id
    const create = async (entity: { name: string }) =>
      (await designer.call(createEntity, { body: { entity, targetManifestId: ids.manifest } })).entity.id
    ids.target = await create({ name: 'Person' })
    ids.parent = await create({ name: 'Party' })
    const entity = {
      name: 'Patient',
      description: 'Somebody ill',
      extendsEntity: { id: ids.parent },
      typeAttributes: [
        { name: 'note', nullable: true, maxLength: 80, description: 'Free text', choices: ['a', 'b'] },
        { name: 'weight', dataType: 'double' as const, precision: 9, scale: 2, unique: true, indexed: true },
      ],
      entityAttributes: [
        {
          ...aRelationship({ id: ids.target }, 'personId'),
          onDelete: 'cascade' as const,
          alternativeTargets: [{ entity: { id: ids.parent, name: 'Party', path: '' }, attribute: 'id' }],
        },
      ],
      operationScopes: { selectOperationScopes: ['read'] },
    }
    ids.entity = await create(entity)
  }

  const entityState = async (id: number) => {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
    return { body: answer, etag }
  }
  const member = async () => {
    const { members } = await console.call(adminListMembers, { params: { code: 'ACME' }, query: { search: 'Dan' } })
    return members[0] ?? { etag: '', userId: '' }
  }
  const resources: readonly Resource[] = [
    {
      name: 'entity',
      save: updateEntity,
      client: () => designer,
      read: () => entityState(ids.entity),
      parameters: async () => ({ params: { id: ids.entity } }),
      parts: [
        [],
        ['entity'],
        ['entity', 'typeAttributes', 0],
        ['entity', 'typeAttributes', 1],
        ['entity', 'entityAttributes', 0],
      ],
      derived: [
        'entity.path',
        'entity.resolvedAttributes',
        'entity.primaryKey',
        'entity.targetManifest',
        'entity.content',
        'entity.versions',
        'entity.latestVersion',
        'entity.currentVersion',
        'entity.typeAttributes.0.appliedTraits',
        'entity.typeAttributes.1.appliedTraits',
      ],
      inner: [
        ['entity', 'entityAttributes', 0, 'alternativeTargets', 0],
        ['entity', 'entityAttributes', 0, 'alternativeTargets', 0, 'entity'],
      ],
      spared: ['position', '1.maxLength', 'associatedEntityTypeAttribute', 'associatedEntityTypeAttributeUid'],
    },
    {
      name: 'predefined entity',
      save: updateEntity,
      client: () => designer,
      read: () => entityState(ids.predefined),
      parameters: async () => ({ params: { id: ids.predefined } }),
      parts: [],
    },
    {
      name: 'relationship',
      save: updateRelationship,
      client: () => designer,
      read: async () => {
        const { answer, etag } = await designer.callWithTag(getEntity, { params: { id: ids.entity } })
        return { body: { ...answer.entity.entityAttributes[0] }, etag }
      },
      parameters: async () => {
        const { entity } = await designer.call(getEntity, { params: { id: ids.entity } })
        const [relationship] = entity.entityAttributes
        const associatedEntityId = relationship?.associatedEntity.id
        const query = { associatedAttributeName: relationship?.foreignKeyTypeAttribute }
        return { params: { id: ids.entity, associatedEntityId }, query }
      },
      parts: [[]],
      spared: ['associatedEntityTypeAttribute', 'associatedEntityTypeAttributeUid'],
    },
    {
      name: 'content of an entity',
      save: adminUpdateEntityContent,
      client: () => admin,
      read: async () => {
        const { answer, etag } = await admin.callWithTag(getEntity, { params: { id: ids.entity } })
        return { body: { id: ids.entity, content: answer.entity.content }, etag }
      },
      parameters: async () => ({}),
      parts: [],
    },
    {
      name: 'manifest',
      save: updateManifest,
      client: () => designer,
      read: async () => {
        const { answer, etag } = await designer.callWithTag(getManifest, { params: { id: ids.manifest } })
        return { body: answer, etag }
      },
      parameters: async () => ({ params: { id: ids.manifest } }),
      parts: [[], ['manifest']],
      derived: [
        'manifest.path',
        'manifest.entityPaths',
        'manifest.subManifestPaths',
        'manifest.parentManifestId',
        'manifest.relationships',
        'manifest.configuration',
        'manifest.versions',
        'manifest.latestVersion',
        'manifest.currentVersion',
      ],
      compared: ['manifest.entityPaths', 'manifest.subManifestPaths', 'manifest.configuration'],
    },
    {
      name: 'configuration',
      save: saveManifestConfiguration,
      client: () => designer,
      read: async () => {
        const parameters = { params: { id: ids.manifest } }
        const { answer, etag } = await designer.callWithTag(getManifestConfiguration, parameters)
        return { body: answer, etag }
      },
      parameters: async () => ({ params: { id: ids.manifest } }),
      parts: [
        [],
        ['manifestProperties'],
        ['manifestProperties', 'packageProperties', 'connectionPoolInfo'],
        ['manifestProperties', 'packageProperties', 'customProperties', 0],
        ['manifestProperties', 'configurationBuild', 'apiConfiguration'],
        ['manifestProperties', 'configurationBuild', 'sqlConfiguration'],
        ['manifestProperties', 'configurationBuild', 'apiScopeConfiguration'],
      ],
    },
    {
      name: 'organisation',
      save: adminUpdateOrganisation,
      client: () => console,
      read: async () => {
        const { answer, etag } = await console.callWithTag(adminGetOrganisation, { params: { code: 'ACME' } })
        return { body: answer, etag }
      },
      parameters: async () => ({ params: { code: 'ACME' } }),
      parts: [[], ['organisation'], ['organisation', 'licence']],
      derived: [
        'organisation.totalEntities',
        'organisation.totalManifests',
        'organisation.totalPackages',
        'organisation.totalMembers',
        'organisation.totalSubscriptions',
        'organisation.namedByProvider',
      ],
    },
    {
      name: 'member',
      save: adminSetMember,
      client: () => console,
      read: async () => {
        const body = await member()
        return { body: { ...body }, etag: body.etag }
      },
      parameters: async () => ({ params: { code: 'ACME', userId: (await member()).userId } }),
      parts: [[]],
      derived: ['username', 'fullname', 'email', 'source', 'inEffect', 'etag'],
      compared: ['username', 'fullname', 'email', 'source', 'inEffect'],
    },
  ]

  /**
   * Changes everything that derived properties depend on: versions of both, an entity, an attribute of the base entity,
   * a parent manifest and a database.
   */
  const changeDerived = async () => {
    await designer.call(addEntityVersion, { params: { id: ids.entity }, query: { version: `${++count}.0.0` } })
    await designer.call(addManifestVersion, { params: { id: ids.manifest }, query: { version: `${count}.0.0` } })
    await designer.call(createEntity, { body: { entity: { name: `Other${count}` }, targetManifestId: ids.manifest } })
    await designer.call(createManifestByWizard, { body: { manifestName: `All${count}`, subManifests: [ids.manifest] } })
    const { typeAttributes } = (await entityState(ids.parent)).body.entity
    const entity = { typeAttributes: [...typeAttributes, { name: `more${count}` }] }
    await designer.call(updateEntity, { params: { id: ids.parent }, body: { entity }, ifMatch: '*' })
  }

  const entries = async () => {
    const rows = server.context.store
      .of(acme)
      .selectFrom('audit_entry')
      .select('id')
      .where('organisation_id', '=', acme)
    return (await rows.execute()).length
  }
  const put = async ({ client, save, parameters }: Resource, body: Json, ifMatch: string) => {
    const response = await client().send(save, { ...(await parameters()), body, ifMatch })
    return { status: response.status, answer: await response.json() }
  }

  it('is tested for every call with a body that saves existing objects', () => {
    const calls: readonly Call[] = Object.values(allCalls)
    const saving = calls.filter(
      ({ body, concurrency, method }) => body && concurrency === 'if-match' && method !== 'DELETE',
    )
    const tried = new Set(resources.map(({ save }) => save.id))
    // These two add objects or execute a preview; no GET returns their body.
    const others = ['addRelationship', 'resolveNamesakes']
    expect(saving.map(({ id }) => id).filter(id => !tried.has(id) && !others.includes(id))).toEqual([])
  })

  it.each(resources)('changes nothing and writes no audit entry: $name', async resource => {
    const before = await resource.read()
    const count = await entries()
    for (const ifMatch of [before.etag, '*'])
      expect(await put(resource, before.body, ifMatch)).toMatchObject({ status: 200 })
    expect(await resource.read()).toEqual(before)
    expect(await entries()).toBe(count)
  })

  it.each(resources)('rejects an unknown property by name: $name', async resource => {
    const { body, etag } = await resource.read()
    for (const part of [[], ...resource.parts]) {
      const { status, answer } = await put(resource, replaced(body, [...part, 'nonsense'], 1), etag)
      expect([status, errorAnswer.parse(answer).message]).toEqual([400, expect.stringContaining('"nonsense"')])
    }
  })

  it.each(resources)('keeps omitted properties: $name', async resource => {
    const before = await resource.read()
    const count = await entries()
    for (const part of [...resource.parts, ...(resource.inner ?? [])]) {
      const all = at(before.body, part)
      // List items are identified by uid or name.
      const isOfList = typeof part.at(-1) === 'number'
      const isInner = resource.inner?.includes(part) === true
      const needed = isInner ? ['entity', 'attribute', 'id', 'name', 'path'] : isOfList ? ['uid', 'name'] : []
      const names = Object.keys(all).filter(name => !needed.includes(name))
      const whole =
        part.length === 0 ? names.filter(name => !isRecord(all[name]) || name !== Object.keys(all)[0]) : names
      for (const omitted of [whole, ...whole.map(name => [name])]) {
        const left = Object.fromEntries(Object.entries(all).filter(([name]) => !omitted.includes(name)))
        const { status, answer } = await put(resource, replaced(before.body, part, left), before.etag)
        expect([part, omitted, status, status === 200 || answer]).toEqual([part, omitted, 200, true])
        expect((await resource.read()).body).toEqual(before.body)
      }
    }
    expect(await resource.read()).toEqual(before)
    expect(await entries()).toBe(count)
  })

  it.each(resources)('ignores no changed property except derived ones: $name', async resource => {
    const wrong: string[] = []
    for (const part of resource.parts) {
      const names = Object.keys(at((await resource.read()).body, part))
      for (const name of names) {
        const place = [...part, name].join('.')
        const isDerived = resource.derived?.includes(place) === true && resource.compared?.includes(place) !== true
        const { body, etag } = await resource.read()
        const before = at(body, part)[name]
        const { status, answer } = await put(
          resource,
          replaced(body, [...part, name], isDerived ? otherWithin(before) : another(before)),
          etag,
        )
        if (resource.spared?.some(spared => place === spared || place.endsWith(`.${spared}`))) continue
        const isNamed = status !== 200 && [name, '\\"another\\"'].some(word => JSON.stringify(answer).includes(word))
        const isChanged = status === 200 && !isEqual(at((await resource.read()).body, part)[name], before)
        const isRight = isDerived ? status === 200 && !isChanged : isNamed || isChanged
        if (!isRight) wrong.push(`${place}: ${status} ${JSON.stringify(answer).slice(0, 200)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it.each(resources)('rejects a derived property of another type: $name', async ({ derived = [], ...resource }) => {
    const { body, etag } = await resource.read()
    for (const place of derived) {
      const steps = place.split('.')
      const wrong = at(body, steps.slice(0, -1))[steps.at(-1) ?? ''] instanceof Object ? 'x' : { wrong: true }
      const { status, answer } = await put(resource, replaced(body, steps, wrong), etag)
      expect([place, status, JSON.stringify(answer)]).toEqual([place, 400, expect.stringContaining(place)])
    }
  })

  it('refuses a key mark that contradicts the purpose, and accepts the former mark with an edited purpose', async () => {
    const typeAttributes = [
      { name: 'id', isPrimaryKey: true },
      { name: 'code', dataType: 'integer' as const },
    ]
    const { entity } = await designer.call(createEntity, { body: { entity: { name: 'Marked', typeAttributes } } })
    const [id, code] = entity.typeAttributes
    expect(entity.primaryKey).toBe('id')
    const save = (attributes: Json[]) =>
      designer.send(updateEntity, {
        params: { id: entity.id },
        body: { entity: { typeAttributes: attributes } },
        ifMatch: '*',
      })
    for (const marked of [
      { name: 'more', isPrimaryKey: true },
      { uid: code?.uid, name: 'code', isPrimaryKey: true },
    ]) {
      const refused = await save([{ ...id }, marked])
      expect(refused.status).toBe(400)
      expect(JSON.stringify(await refused.json())).toContain('entity.typeAttributes.1.isPrimaryKey')
    }
    expect((await save([{ ...id }, { ...code, purpose: 'identifiedBy' }])).status).toBe(200)
    expect((await entityState(entity.id)).body.entity.primaryKey).toBe('code')
  })

  it("refuses another name of an entity's own key, and accepts that of the base and of the result", async () => {
    const typeAttributes = [
      { name: 'id', dataType: 'integer' as const, purpose: 'identifiedBy' as const },
      { name: 'code', dataType: 'integer' as const },
    ]
    const { entity } = await designer.call(createEntity, { body: { entity: { name: 'Keyed', typeAttributes } } })
    const [id, code] = entity.typeAttributes
    const keyed = [{ ...code, purpose: 'identifiedBy' as const }, { ...id }]
    const base = await entityState(entity.id)
    const save = (sent: Json) => {
      const input = { params: { id: entity.id }, body: { entity: sent }, ifMatch: base.etag }
      return designer.send(updateEntity, input)
    }
    const refused = await save({ primaryKey: 'code' })
    expect([refused.status, errorAnswer.parse(await refused.json()).errors]).toEqual([
      400,
      [{ path: 'entity.primaryKey', message: messages.readOnly('primaryKey') }],
    ])
    expect((await save({ typeAttributes: keyed, primaryKey: 'code' })).status).toBe(200)
    expect((await entityState(entity.id)).body.entity.primaryKey).toBe('code')
    // The outdated answer, and its base with the current key.
    for (const primaryKey of ['id', 'code']) expect((await save({ primaryKey })).status).toBe(200)
    expect((await save({ primaryKey: null })).status).toBe(400)
    expect((await entityState(entity.id)).body.entity.primaryKey).toBe('code')
  })

  it.each(resources)('changes nothing after changes of derived data: $name', async resource => {
    const sent = await resource.read()
    await changeDerived()
    const before = await resource.read()
    const count = await entries()
    for (const ifMatch of [sent.etag, '*'])
      expect(await put(resource, sent.body, ifMatch)).toMatchObject({ status: 200 })
    expect(await resource.read()).toEqual(before)
    expect(await entries()).toBe(count)
  })
})

function at(body: unknown, part: readonly (string | number)[]): Json {
  const result = part.reduce<unknown>(
    (inner, step) => (inner instanceof Object ? Reflect.get(inner, step) : undefined),
    body,
  )
  if (!isRecord(result)) throw new TypeError(`There is no object at ${part.join('.')}.`)
  return result
}

function replaced(body: Json, [step, ...rest]: readonly (string | number)[], value: unknown): Json {
  if (step === undefined) return isRecord(value) ? value : {}
  const copy = structuredClone(body)
  let inner: object = copy
  let last = step
  for (const next of rest) {
    inner = Reflect.get(inner, last) as object
    last = next
  }
  Reflect.set(inner, last, value)
  return copy
}

/** Returns a different value of the same kind. */
function another(value: unknown): unknown {
  if (value === 'console') return 'provider'
  if (typeof value === 'string') return `${value}x`
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return [...value, ...(value.length > 0 ? value : ['x'])]
  return isRecord(value) ? { ...value, another: 1 } : 'x'
}

/** Another value of the same type; an object gets another last property. */
function otherWithin(value: unknown): unknown {
  if (!isRecord(value)) return another(value)
  const [name, inner] = Object.entries(value).at(-1) ?? []
  return name === undefined ? value : { ...value, [name]: otherWithin(inner) }
}
