import { createEntity } from '@cadmus/model/contract/entity'
import { getEntityImpact } from '@cadmus/model/contract/impact'
import { addSubManifests, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { limits } from '@cadmus/model/limits'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, aRelationship, type EntityBody } from '../testing/entities.ts'
import { packageCalls } from '../testing/packages.ts'

describeOnBothStores('Impact of edits of an entity', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())
  const { buildIt } = packageCalls(() => designer)

  const entity = async (manifest: number, body: EntityBody['entity']) =>
    (await designer.call(createEntity, { body: { entity: body, targetManifestId: manifest } })).entity
  const impactOf = async (id: number, ...edits: EntityEdit[]) =>
    designer.call(getEntityImpact, { params: { id }, body: { edits } })
  const configure = async (id: number, entityName: string) => {
    const configurationBuild = {
      apiConfiguration: {
        type: ['REST' as const],
        security: 'OAUTH2' as const,
        excludeOperations: ['Ward.id.delete'],
      },
      apiScopeConfiguration: { enableRbac: true, scopeDefinitions: ['read', 'write'] },
      aggregateQueries: [
        { name: 'perCity', entity: entityName, columns: [{ field: 'city', type: 'COUNT' as const, alias: 'count' }] },
      ],
    }
    const packageProperties = { connectionPoolInfo: { databaseName: 'd', type: 'POSTGRESQL' as const } }
    await designer.call(saveManifestConfiguration, {
      params: { id },
      body: { configurationBuild, packageProperties },
      ifMatch: '*',
    })
  }

  /** Patient of Clinic, built as a package, with Visit of Billing that refers to it; Billing contains Archive. */
  const clinic = async (prefix: string) => {
    const id = await addManifest(server, `${prefix}Clinic`)
    const billing = await addManifest(server, `${prefix}Billing`)
    const patient = await entity(id, {
      name: 'Patient',
      typeAttributes: [
        { name: 'taxNumber', dataType: 'string', maxLength: 20, isNullable: false, unique: true },
        { name: 'city', dataType: 'string', maxLength: 40 },
      ],
    })
    const visit = await entity(billing, {
      name: 'Visit',
      entityAttributes: [aRelationship(patient, 'patientTax', 'taxNumber')],
    })
    await entity(id, { name: 'Ward' })
    await configure(id, 'Patient')
    const [tax, city] = ['taxNumber', 'city'].map(name => patient.typeAttributes.find(row => row.name === name)!.uid)
    return { id, billing, patient, visit, tax: tax!, city: city! }
  }
  const placeOf = ({ id, name, path }: { id: number; name: string; path: string }) => ({ id, name, path })
  const change = (
    uid: string,
    fields: Extract<EntityEdit, { kind: 'changeAttributes' }>['changes'][number]['change'],
  ) => ({ kind: 'changeAttributes', changes: [{ uid, change: fields }] }) satisfies EntityEdit

  it('names what refers to the entity and to which attribute, without edits too', async () => {
    const { id, billing, patient, visit, tax } = await clinic('Named')
    const special = await entity(billing, { name: 'Special', extendsEntity: placeOf(patient) })
    const through = await entity(billing, {
      name: 'Through',
      entityAttributes: [aRelationship(special, 'specialTax', 'taxNumber')],
    })
    const { references, totalReferences, manifests } = await impactOf(patient.id)
    expect(
      references.map(({ kind, id: from, item, target, manifests: listing }) => [
        kind,
        from,
        item,
        target.attribute?.uid,
        listing,
      ]),
    ).toEqual([
      ['relationship', visit.id, 'patientTax', tax, [billing]],
      ['extends', special.id, '', undefined, [billing]],
      ['aggregateQuery', id, 'perCity', undefined, [id]],
      ['relationship', through.id, 'specialTax', tax, [billing]],
    ])
    expect([totalReferences, manifests]).toEqual([4, []])
  })

  it('names checks and groups with an attribute, also those of subtypes', async () => {
    const id = await addManifest(server, 'Constrained')
    const person = await entity(id, {
      name: 'Person',
      typeAttributes: [
        { name: 'born', dataType: 'integer' },
        { name: 'died', dataType: 'integer' },
      ],
      checks: [{ name: 'ck_life', condition: 'born < died and born > 0' }, { condition: 'died > 0' }],
      groups: [{ kind: 'index', members: [{ name: 'born' }, { name: 'died' }] }],
    })
    const child = await entity(id, {
      name: 'Child',
      extendsEntity: placeOf(person),
      typeAttributes: [{ name: 'size', dataType: 'integer' }],
      checks: [{ name: 'ck_size', condition: 'size > 0 or born is null' }],
    })
    const { references } = await impactOf(person.id)
    const named = references.filter(({ kind }) => kind === 'check' || kind === 'group')
    expect(
      named.map(({ kind, id: from, item, target }) => [kind, from, item, target.id, target.attribute?.name]),
    ).toEqual([
      ['check', person.id, 'ck_life', person.id, 'born'],
      ['check', person.id, 'ck_life', person.id, 'died'],
      ['check', person.id, 'died > 0', person.id, 'died'],
      ['group', person.id, 'born, died', person.id, 'born'],
      ['group', person.id, 'born, died', person.id, 'died'],
      ['check', child.id, 'ck_size', person.id, 'born'],
    ])
  })

  it('names a reference by each of its columns, and the relations of the API that a further one makes', async () => {
    const id = await addManifest(server, 'Several')
    const line = await entity(id, {
      name: 'Line',
      typeAttributes: ['orderNo', 'lineNo'].map(name => ({ name, dataType: 'integer' as const, isNullable: false })),
      groups: [{ kind: 'unique', members: [{ name: 'orderNo' }, { name: 'lineNo' }] }],
    })
    const key = line.typeAttributes.filter(({ name }) => name.endsWith('No'))
    const order = aRelationship(line, 'orderNo', 'orderNo')
    const parcel = await entity(id, {
      name: 'Parcel',
      typeAttributes: [{ name: 'lineNo', dataType: 'integer' }],
      entityAttributes: [{ ...order, alsoBy: [{ name: 'lineNo', target: 'lineNo' }] }],
    })
    const { references } = await impactOf(line.id)
    const named = references.filter(({ item }) => item === 'orderNo').map(({ target }) => target.attribute?.uid)
    expect(new Set(named)).toEqual(new Set(key.map(({ uid }) => uid)))
    const [relationship] = parcel.entityAttributes
    const apiConfiguration = { type: ['REST' as const], security: 'NONE' as const }
    const packageProperties = { connectionPoolInfo: { databaseName: 'd', type: 'POSTGRESQL' as const } }
    const configurationBuild = { apiConfiguration, sqlConfiguration: { applyJoin: true } }
    const body = { configurationBuild, packageProperties }
    await designer.call(saveManifestConfiguration, { params: { id }, body, ifMatch: '*' })
    const { manifests } = await impactOf(parcel.id, {
      kind: 'changeRelationships',
      changes: [{ uid: relationship!.uid, change: { alsoBy: [] } }],
    })
    expect(JSON.stringify(manifests)).toContain('Parcel.line was removed.')
  })

  it('works out API, tables and scopes for each manifest, those with packages first', async () => {
    const { id, billing, patient, tax, city } = await clinic('Worked')
    await buildIt(id)
    const { manifests, moreManifests, moreEntities } = await impactOf(
      patient.id,
      change(tax, { name: 'taxId', maxLength: 10 }),
      change(city, { name: 'town', nullable: false }),
      { kind: 'changeScopes', change: { selectOperationScopes: ['read'] } },
    )
    expect([moreManifests, moreEntities]).toEqual([0, 0])
    expect(manifests.map(({ id: of, database, packages }) => [of, database, packages.length])).toEqual([
      [id, 'postgresql', 1],
      [billing, 'postgresql', 0],
    ])
    const [own, other] = manifests
    expect(own?.problems).toEqual([])
    expect(own?.api.breaks).toEqual([
      'Patient.taxNumber was renamed to taxId.',
      'Patient.taxNumber now accepts at most 10 characters.',
      'Patient.city was renamed to town.',
      'The operation select of Patient now requires one of the scopes read.',
    ])
    expect(own?.schema.steps.map(({ attribute, grade }) => [attribute, grade])).toEqual([
      ['taxNumber', 'locks'],
      ['taxId', 'locks'],
      ['city', 'locks'],
    ])
    expect(own?.scopes).toEqual([{ entity: 'Patient', operation: 'select', before: [], after: ['read'], opens: false }])
    expect(other).toMatchObject({ api: { isServed: false, breaks: [] }, problems: [] })
  })

  it('a rename keeps references and configurations intact', async () => {
    const { patient, tax, city } = await clinic('Intact')
    const { manifests } = await impactOf(
      patient.id,
      { kind: 'changeEntity', change: { name: 'Person' } },
      change(tax, { name: 'taxId' }),
      change(city, { name: 'town' }),
    )
    expect(manifests.flatMap(({ problems }) => problems)).toEqual([])
    expect(manifests[0]?.api).toMatchObject({ breaks: ['Patient was renamed to Person.'] })
    expect(manifests.flatMap(({ schema }) => schema.steps.filter(({ grade }) => grade === 'losesData'))).toEqual([])
  })

  it('errors that the edits cause are named, and entities that were not read are no errors', async () => {
    const { patient, tax } = await clinic('Broken')
    const { manifests } = await impactOf(patient.id, { kind: 'removeAttributes', uids: [tax] })
    expect(manifests.map(({ problems }) => problems.length > 0)).toEqual([false, true])
    const [own] = manifests
    expect(own?.schema.steps[0]).toMatchObject({ grade: 'losesData', entity: 'Patient', attribute: 'taxNumber' })
  })

  it('manifests beyond the limit are counted, and ancestors of manifests are included', async () => {
    const { id, patient, city } = await clinic('Many')
    for (let at = 0; at < limits.impact.manifests; at++) {
      const above = await addManifest(server, `ManyAbove${at}`)
      await designer.call(addSubManifests, { params: { id: above }, body: { submanifests: [id] } })
    }
    const { manifests, moreManifests } = await impactOf(patient.id, change(city, { name: 'town' }))
    expect([manifests.length, moreManifests]).toEqual([limits.impact.manifests, 2])
  })

  it('entities of other organisations are refused like unknown ones, and unknown fields are refused', async () => {
    const { patient } = await clinic('Own')
    const stranger = server.bootstrap('CADMUS')
    for (const [client, of] of [
      [stranger, patient.id],
      [designer, 999_999_999],
    ] as const) {
      const { status } = await client.refusal(getEntityImpact, { params: { id: of }, body: {} })
      expect(status).toBe(404)
    }
    const body = { edits: [], others: [] }
    expect((await designer.refusal(getEntityImpact, { params: { id: patient.id }, body })).status).toBe(400)
  })
})
