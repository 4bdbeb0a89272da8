import type { CallInput } from '@cadmus/model/contract/call'
import {
  compareManifest,
  compareManifestEntity,
  type Comparison,
  type EntityComparison,
} from '@cadmus/model/contract/comparison'
import { createEntity, deleteEntity, updateEntity } from '@cadmus/model/contract/entity'
import {
  addManifestVersion,
  addSubManifests,
  createManifestByWizard,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { limits } from '@cadmus/model/limits'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { newUid } from '@cadmus/model/uid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, aRelationship, organisationId, type RelationshipBody } from '../testing/entities.ts'
import { built, packageCalls } from '../testing/packages.ts'
import { scriptOf } from '../testing/personal-tokens.ts'

type Sides = CallInput<typeof compareManifest>['body']
type Draft = Extract<Sides['after'], { kind: 'draft' }>

const now = { kind: 'now' } as const
const first = { kind: 'version', version: '1.0.0' } as const

describeOnBothStores('Comparing states of a manifest', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const entity = async (manifest: number, name: string, entityAttributes: RelationshipBody[] = []) => {
    const body = { entity: { name, entityAttributes }, targetManifestId: manifest }
    return (await designer.call(createEntity, { body })).entity
  }
  const save = async (
    { id }: { id: number },
    changes: Omit<CallInput<typeof updateEntity>['body']['entity'], 'name'> & { name: string },
  ) => designer.call(updateEntity, { params: { id }, body: { entity: changes }, ifMatch: '*' })
  const freeze = async (id: number) =>
    designer.call(addManifestVersion, { params: { id }, query: { version: '1.1.0' } })
  const compare = async (id: number, sides: Sides, client = designer) =>
    client.call(compareManifest, { params: { id }, body: sides })
  const contents = async (id: number, sides: Sides, uid: string) =>
    designer.call(compareManifestEntity, { params: { id }, body: { ...sides, uid } })
  const refusal = async (id: number, sides: Sides) => {
    const { status, answer } = await designer.refusal(compareManifest, { params: { id }, body: sides })
    return [status, answer.code, answer.message]
  }
  const draft = (id: number, ...edits: EntityEdit[]): Draft => ({ kind: 'draft', entities: [{ id, edits }] })
  const kinds = ({ entities }: Comparison) =>
    entities.map((one): [string | undefined, EntityComparison['kinds']] => [(one.after ?? one.before)?.name, one.kinds])

  it('a version and now: added, removed, renamed and moved entities and changed columns', async () => {
    const [id, staff] = [await addManifest(server, 'Clinic'), await addManifest(server, 'Staff')]
    await designer.call(addSubManifests, { params: { id }, body: { submanifests: [staff] } })
    const ward = await entity(id, 'Ward')
    const patient = await entity(id, 'Patient', [aRelationship(ward, 'wardId')])
    const unchanged = await entity(staff, 'Doctor', [aRelationship(patient, 'patientId')])
    await freeze(id)
    expect(await compare(id, { before: first, after: now })).toMatchObject({ entities: [], same: 3 })
    await save(patient, {
      name: 'Person',
      typeAttributes: [...patient.typeAttributes.map(({ uid, name }) => ({ uid, name })), { name: 'born' }],
      entityAttributes: [],
    })
    await designer.call(deleteEntity, { params: { id: ward.id } })
    const bed = await entity(staff, 'Bed')
    const answer = await compare(id, { before: first, after: now })
    expect(answer).toMatchObject({
      before: { name: 'Clinic', version: '1.0.0', packageVersion: null },
      after: { name: 'Clinic', version: '1.1.0', packageVersion: null },
      same: 1,
      more: 0,
    })
    expect(kinds(answer)).toEqual([
      ['Person', ['renamed', 'changed']],
      ['Ward', ['removed']],
      ['Bed', ['added']],
    ])
    expect(answer.entities.map(({ before, after }) => [before?.id, after?.id, after?.manifest])).toEqual([
      [patient.id, patient.id, 'Clinic'],
      [-1, undefined, undefined],
      [undefined, bed.id, 'Staff'],
    ])
    expect(answer.entities[0]?.changes.map(({ kind, step }) => [kind, step?.name])).toEqual([
      ['renamed', undefined],
      ['removed', 'wardId'],
      ['added', 'born'],
    ])
    const back = await compare(id, { before: now, after: first })
    expect(back.entities.map(one => one.kinds)).toEqual([['renamed', 'changed'], ['added'], ['removed']])
    const both = await contents(id, { before: first, after: now }, patient.uid)
    expect([both.before?.name, both.after?.name]).toEqual(['Patient', 'Person'])
    expect(both.before?.entityAttributes[0]?.associatedEntity).toMatchObject({ id: -1, uid: ward.uid, name: 'Ward' })
    const gone = await contents(id, { before: first, after: now }, ward.uid)
    expect([gone.before?.name, gone.after]).toEqual(['Ward', null])
    const doctor = await contents(id, { before: first, after: now }, unchanged.uid)
    expect([doctor.before, doctor.after].map(one => one?.entityAttributes[0]?.associatedEntity.name)).toEqual([
      'Patient',
      'Person',
    ])
  })

  it('unsaved edits: nothing is stored, unknown entities are ignored, and new targets outside are read', async () => {
    const id = await addManifest(server, 'Drafts')
    const target = await entity(await addManifest(server, 'DraftTargets'), 'Target')
    const child = await entity(id, 'Child')
    const item = newEntityAttribute({
      associatedEntity: { id: target.id, name: 'outdated', path: '' },
      associatedEntityTypeAttribute: 'id',
      foreignKeyTypeAttribute: 'targetId',
      position: 1,
    })
    const after: Draft = {
      kind: 'draft',
      entities: [
        { id: child.id, edits: [{ kind: 'addRelationships', added: [{ item, before: null }] }] },
        { id: 999_999_999, edits: [{ kind: 'changeEntity', change: { name: 'Unknown' } }] },
        { id: target.id, edits: [{ kind: 'changeEntity', change: { name: 'NotOfThisManifest' } }] },
      ],
      configuration: [
        {
          kind: 'changeConfiguration',
          changes: [{ path: ['packageProperties', 'connectionPoolInfo', 'password'], value: 'Tiger-8' }],
        },
        {
          kind: 'changeConfiguration',
          changes: [{ path: ['configurationBuild', 'sqlConfiguration', 'applyJoin'], value: true }],
        },
      ],
    }
    const sides = { before: now, after }
    const answer = await compare(id, sides)
    expect(kinds(answer)).toEqual([
      ['Child', ['changed']],
      ['Target', ['added']],
    ])
    expect(answer.configuration).toEqual([
      { path: 'configurationBuild.sqlConfiguration', field: 'applyJoin', before: false, after: true },
    ])
    const { after: edited } = await contents(id, sides, child.uid)
    expect(edited?.entityAttributes[0]?.associatedEntity).toMatchObject({ id: target.id, name: 'Target' })
    expect(await compare(id, { before: now, after: now })).toMatchObject({ entities: [], same: 1 })
  })

  it('unsaved edits that break rules are compared, and objects of other organisations do not exist', async () => {
    const id = await addManifest(server, 'Hostile')
    const child = await entity(id, 'Child')
    const foreign = await addManifest(server, 'Foreign', 'CADMUS')
    const attributes = ['', 'same', 'same', '\u202e'.repeat(600)].map(name =>
      newTypeAttribute({ name, position: 0, uid: newUid() }),
    )
    const added = attributes.map(item => ({ item, before: 'none' }))
    const extendsEntity = { id: foreign, uid: newUid(), name: 'x'.repeat(700), path: '' }
    const after = draft(
      child.id,
      { kind: 'addAttributes', added },
      { kind: 'changeEntity', change: { name: '', extendsEntity: { id: child.id, name: '', path: '' } } },
      { kind: 'changeEntity', change: { extendsEntity, traits: ['__proto__', { a: 'y'.repeat(900) }] } },
    )
    const answer = await compare(id, { before: now, after })
    expect(kinds(answer)).toEqual([['', ['renamed', 'changed']]])
    expect(JSON.stringify(answer).length).toBeLessThan(8000)
    const content = await contents(id, { before: now, after }, child.uid)
    expect(content.after?.extendsEntity?.id).toBe(-1)
    expect(content.after?.typeAttributes).toHaveLength(5)
  })

  it('more drafts or edits than the limit are refused, as are edits that would take long', async () => {
    const id = await addManifest(server, 'TooMany')
    const { entity: wide } = await designer.call(createEntity, {
      body: {
        entity: {
          name: 'Wide',
          typeAttributes: Array.from({ length: 2000 }, (_, index) => ({ name: `column${index}` })),
        },
        targetManifestId: id,
      },
    })
    const entities = Array.from({ length: limits.unsavedDrafts + 1 }, (_, at) => ({ id: at + 1, edits: [] }))
    expect((await refusal(id, { before: now, after: { kind: 'draft', entities } }))[0]).toBe(400)
    const removal: EntityEdit = { kind: 'removeAttributes', uids: ['none'] }
    const many = (count: number) => draft(wide.id, ...Array.from({ length: count }, () => removal))
    expect((await refusal(id, { before: now, after: many(limits.edits + 1) }))[0]).toBe(400)
    const again: Draft = {
      kind: 'draft',
      entities: Array.from({ length: 60 }, () => many(limits.edits).entities).flat(),
    }
    expect(await refusal(id, { before: now, after: again })).toEqual([
      400,
      'too_large',
      'These drafts have too many edits. Save them first.',
    ])
    expect(await compare(id, { before: now, after: many(limits.edits) })).toMatchObject({ entities: [], same: 1 })
    const none: EntityEdit = { kind: 'changeAttributes', changes: [{ uid: 'none', change: {} }] }
    const slight = draft(wide.id, ...Array.from({ length: limits.edits }, () => none))
    expect(await compare(id, { before: now, after: slight })).toMatchObject({ entities: [], same: 1 })
    const long: EntityEdit = { kind: 'changeEntity', change: { name: 'n'.repeat(1001) } }
    expect((await refusal(id, { before: now, after: draft(wide.id, long) }))[1]).toBe('too_large')
    const change = (name: string, value: string[] | boolean) => ({
      kind: 'changeConfiguration' as const,
      changes: [
        {
          path: ['configurationBuild', name, ...(name === 'sqlConfiguration' ? ['applyJoin'] : ['scopeDefinitions'])],
          value,
        },
      ],
    })
    const configuration = [
      change(
        'apiScopeConfiguration',
        Array.from({ length: 5000 }, (_, index) => `scope${index}`.padEnd(300, 'x')),
      ),
      ...Array.from({ length: limits.edits - 1 }, (_, index) => change('sqlConfiguration', index % 2 === 0)),
    ]
    const growing: Draft = { kind: 'draft', entities: [], configuration }
    expect((await refusal(id, { before: now, after: growing }))[1]).toBe('too_large')
  })

  const { build, buildIt } = packageCalls(() => designer)

  it('a build and now: by uid, with ids of what exists now, and without secrets', async () => {
    const id = await addManifest(server, 'Built')
    const ward = await entity(id, 'Ward')
    const patient = await entity(id, 'Patient', [aRelationship(ward, 'wardId')])
    const packageProperties = {
      connectionPoolInfo: { databaseName: 'd', password: 'Tiger-7' },
      customProperties: [{ name: 'key', value: 'Tiger-7', secret: true }],
    }
    await designer.call(saveManifestConfiguration, { params: { id }, body: { packageProperties }, ifMatch: '*' })
    const { packageId } = await buildIt(id)
    const before = { kind: 'build', package: packageId, version: '1.0.0' } as const
    expect(await compare(id, { before, after: now })).toEqual({
      before: { name: 'Built', version: '1.0.0', packageVersion: '1.0.0' },
      after: { name: 'Built', version: '1.0.0', packageVersion: null },
      entities: [],
      subManifests: [],
      manifest: [],
      configuration: [],
      same: 2,
      more: 0,
    })
    await save(patient, { name: 'Person' })
    const after = draft(patient.id, { kind: 'changeEntity', change: { description: 'A person' } })
    const answer = await compare(id, { before, after })
    expect(answer.entities.map(({ kinds: all, before: was, after: is }) => [all, was?.id, is?.id])).toEqual([
      [['renamed', 'changed'], patient.id, patient.id],
    ])
    const { before: former } = await contents(id, { before, after }, patient.uid)
    expect(former?.entityAttributes[0]?.associatedEntity).toMatchObject({ id: ward.id, uid: ward.uid })
    expect(await compare(id, { before, after: before })).toMatchObject({ entities: [], same: 2 })
  })

  it('a version that is not built is refused with the reason', async () => {
    const id = await addManifest(server, 'Unbuilt')
    await entity(id, 'Patient')
    const { packageId, version } = await build(id)
    await built(designer, packageId)
    const before = { kind: 'build', package: packageId, version } as const
    const organisation = await organisationId(server)
    const set = async (status: 'PROCESSING' | 'FAILED') =>
      server.context.store
        .of(organisation)
        .updateTable('package_version')
        .set({ status, content_hash: null })
        .where('organisation_id', '=', organisation)
        .where('package_id', '=', packageId)
        .execute()
    await set('FAILED')
    expect(await refusal(id, { before, after: now })).toEqual([409, 'conflict', 'This version was not built.'])
    await set('PROCESSING')
    expect((await refusal(id, { before, after: now }))[0]).toBe(409)
    expect(await refusal(id, { before: { ...before, version: '9.9.9' }, after: now })).toEqual([
      404,
      'not_found',
      'The version was not found.',
    ])
  })

  it('another manifest: copies of the same origin are the same, with the ids of this one', async () => {
    const id = await addManifest(server, 'Origin')
    const ward = await entity(id, 'Ward')
    await entity(id, 'Patient', [aRelationship(ward, 'wardId')])
    const copy = async (manifestName: string) => {
      const body = { manifestName, duplicateManifest: id }
      return (await designer.call(createManifestByWizard, { body })).manifest
    }
    const [one, other] = [await copy('One'), await copy('Other')]
    const before = { kind: 'manifest', manifest: other.id, version: null } as const
    expect(await compare(one.id, { before, after: now })).toMatchObject({
      before: { name: 'Other', version: '1.0.0', packageVersion: null },
      entities: [],
      same: 2,
      manifest: [{ path: '', field: 'name', before: 'Other', after: 'One' }],
    })
    const own = one.entityPaths.find(({ name }) => name === 'Ward')?.id ?? -1
    const after = draft(own, { kind: 'changeEntity', change: { name: 'Station' } })
    expect((await compare(one.id, { before, after })).entities).toMatchObject([
      { kinds: ['renamed'], before: { id: own, name: 'Ward' }, after: { id: own, name: 'Station' } },
    ])
    const both = { before, after: { kind: 'manifest', manifest: id, version: '1.0.0' } } as const
    expect((await compare(one.id, both)).entities).toEqual([])
  })

  it('objects of other organisations are refused like unknown ones', async () => {
    const id = await addManifest(server, 'Mine')
    const foreign = await addManifest(server, 'Theirs', 'CADMUS')
    const manifest = (of: number): Sides['before'] => ({ kind: 'manifest', manifest: of, version: null })
    for (const of of [foreign, 999_999_999]) {
      expect(await refusal(id, { before: manifest(of), after: now })).toEqual([
        404,
        'not_found',
        'The manifest was not found.',
      ])
      expect(await refusal(of, { before: now, after: now })).toEqual([404, 'not_found', 'The manifest was not found.'])
    }
    await entity(id, 'Patient')
    const { packageId } = await buildIt(id)
    const ours = { kind: 'build', package: packageId, version: '1.0.0' } as const
    const stranger = server.bootstrap('CADMUS')
    const strange = await stranger.refusal(compareManifest, {
      params: { id: foreign },
      body: { before: ours, after: now },
    })
    expect([strange.status, strange.answer.message]).toEqual([404, 'The package was not found.'])
    expect(await refusal(id, { before: { kind: 'version', version: '7.0.0' }, after: now })).toEqual([
      404,
      'not_found',
      'The version 7.0.0 was not found.',
    ])
    const { status } = await designer.refusal(compareManifestEntity, {
      params: { id },
      body: { before: now, after: now, uid: newUid() },
    })
    expect(status).toBe(404)
  })

  it('a read-only token may compare', async () => {
    const id = await addManifest(server, 'ReadOnly')
    const { script } = await scriptOf(designer, { access: 'read' })
    expect(await compare(id, { before: now, after: now }, script)).toMatchObject({ entities: [], same: 0 })
  })
})
