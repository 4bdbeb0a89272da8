import { afterAll, beforeAll, expect, it } from 'vitest'
import { adminUpdateEntityContent, adminValidateEntityContent } from '@cadmus/model/contract/admin-documents'
import {
  addRelationship,
  createEntity,
  deleteEntity,
  getEntity,
  listEntityLogs,
  updateEntity,
} from '@cadmus/model/contract/entity'
import { createManifest, deleteManifest } from '@cadmus/model/contract/manifest'
import { previewExport } from '@cadmus/model/contract/manifest-transfer'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addPredefined, aRelationship, type EntityBody } from '../testing/entities.ts'

type Changes = Partial<EntityBody['entity']>
type Choice = Partial<Pick<EntityBody, 'onReferencesTo'>> & { onReferences?: 'keep' | 'remove' }

describeOnBothStores.whenProving('An entity keeps one key when its inheritance changes', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let admin: ConsoleClient
  let count = 0
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    admin = await server.as('admin', 'ACME')
  })
  afterAll(() => server.stop())

  const key = (name: string) => ({ name, dataType: 'integer' as const, purpose: 'identifiedBy' as const })
  const create = async (name: string, changes: Changes = {}, targetManifestId = -1) => {
    const entity = { name: `${name}${++count}`, ...changes }
    return (await designer.call(createEntity, { body: { entity, targetManifestId } })).entity
  }
  const read = async (id: number) => {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
    const { entity } = answer
    const keys = entity.resolvedAttributes?.filter(column => column.isPrimaryKey).map(({ name }) => name)
    return { entity, etag, own: entity.typeAttributes.map(({ name }) => name), keys }
  }
  const columns = async (id: number) => {
    const { own, keys } = await read(id)
    return { own, keys }
  }
  const saving = (id: number, entity: Changes, { onReferences, ...reported }: Choice = {}) => {
    return { params: { id }, query: { onReferences }, body: { entity, ...reported }, ifMatch: '*' }
  }
  const save = async (id: number, entity: Changes, choice?: Choice) =>
    designer.call(updateEntity, saving(id, entity, choice))
  const refusal = async (id: number, entity: Changes, choice?: Choice) =>
    designer.refusal(updateEntity, saving(id, entity, choice))
  const relate = async (id: number, target: { id: number }, foreignKey: string, attribute = 'id') =>
    designer.call(addRelationship, { params: { id }, body: aRelationship(target, foreignKey, attribute), ifMatch: '*' })
  const entries = async ({ name }: { name: string }) => {
    const { entityLogs } = await designer.call(listEntityLogs, { query: { limit: 1000 } })
    return entityLogs.filter(entry => entry.ENTITY_NAME === name)
  }

  it('an entity that inherits a key drops its automatic id in the same save, in its table too', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: `Clinic${++count}` } })
    const contact = await create('Contact', { typeAttributes: [key('contactId')] }, manifest.id)
    const patient = await create('Patient', { typeAttributes: [{ name: 'note' }] }, manifest.id)
    const before = (await entries(patient)).length
    const { entity } = await save(patient.id, { extendsEntity: { id: contact.id } })
    expect(entity).toMatchObject({ primaryKey: 'contactId', typeAttributes: [{ name: 'note' }] })
    expect(await entries(patient)).toHaveLength(before + 1)
    const body = { databaseType: 'postgresql' as const }
    const { script, notes } = await designer.call(previewExport, { params: { id: manifest.id }, body })
    const [table = ''] = script.slice(script.indexOf(`CREATE TABLE "${patient.name}"`)).split(';')
    expect([table.match(/PRIMARY KEY \(.*\)/)?.[0], table.includes('"id"'), notes]).toEqual([
      'PRIMARY KEY ("contactId")',
      false,
      0,
    ])
    // Extends another base entity, then one without a key, then none.
    const person = await create('Person', { typeAttributes: [key('personId')] })
    await save(patient.id, { extendsEntity: { id: person.id } })
    expect(await columns(patient.id)).toEqual({ own: ['note'], keys: ['personId'] })
    const keyless = await addPredefined(server, {
      name: `Keyless${++count}`,
      typeAttributes: [newTypeAttribute({ name: 'title', position: 0 })],
    })
    await save(patient.id, { extendsEntity: { id: keyless } })
    expect(await columns(patient.id)).toEqual({ own: ['id', 'note'], keys: ['id'] })
    await save(patient.id, { extendsEntity: { id: contact.id } })
    await save(patient.id, { extendsEntity: null })
    expect(await columns(patient.id)).toEqual({ own: ['id', 'note'], keys: ['id'] })
  })

  it('an entity with a referenced id that inherits a key is rejected with 409 and the references until onReferences is sent', async () => {
    for (const [onReferences, left] of [
      ['keep', ['id', 'patientId']],
      ['remove', ['id']],
    ] as const) {
      const contact = await create('Contact', { typeAttributes: [key('contactId')] })
      const patient = await create('Patient')
      const visit = await create('Visit')
      await relate(visit.id, patient, 'patientId')
      const changes = { extendsEntity: { id: contact.id } }
      const { status, answer } = await refusal(patient.id, changes)
      expect([status, answer.code]).toEqual([409, 'references'])
      expect(answer.references).toMatchObject([
        {
          kind: 'relationship',
          id: visit.id,
          item: 'patientId',
          target: { id: patient.id, attribute: { name: 'id' } },
        },
      ])
      expect(await columns(patient.id)).toEqual({ own: ['id'], keys: ['id'] })
      const { uid = '' } = answer.references?.[0]?.target.attribute ?? {}
      await save(
        patient.id,
        changes,
        onReferences === 'keep' ? { onReferences } : { onReferencesTo: { [uid]: onReferences } },
      )
      expect(await columns(patient.id)).toEqual({ own: [], keys: ['contactId'] })
      const { entity } = await read(visit.id)
      expect([entity.typeAttributes.map(({ name }) => name), entity.entityAttributes]).toEqual([left, []])
      const [mine, theirs] = [(await entries(patient))[0], (await entries(visit))[0]]
      expect(theirs?.CHANGE_ID).toBe(mine?.CHANGE_ID)
    }
  })

  it('an automatic id beside an inherited id is dropped, and its references are redirected to the inherited id', async () => {
    const parent = await create('Parent')
    const [child, visit] = [await create('Child'), await create('Visit')]
    await relate(visit.id, child, 'childId')
    await save(child.id, { extendsEntity: { id: parent.id } })
    expect(await columns(child.id)).toEqual({ own: [], keys: ['id'] })
    const { entity } = await read(visit.id)
    expect(entity.entityAttributes).toMatchObject([
      { associatedEntity: { id: child.id }, associatedEntityTypeAttributeUid: parent.typeAttributes[0]?.uid },
    ])
    const renamed = [{ uid: parent.typeAttributes[0]?.uid, name: 'parentId' }]
    await save(parent.id, { typeAttributes: renamed })
    expect(await columns(child.id)).toEqual({ own: [], keys: ['parentId'] })
  })

  it('a second user-defined key is rejected with both names, in every kind of save', async () => {
    const contact = await create('Contact', { typeAttributes: [key('contactId')] })
    const { id, name } = await create('Patient', { typeAttributes: [key('mrn')] })
    const message = `${name} has the key "mrn" and inherits the key "contactId" from ${contact.name}. An entity can have only one key: make "mrn" an ordinary attribute first.`
    const { status, answer } = await refusal(id, { extendsEntity: { id: contact.id } })
    expect([status, answer.message]).toEqual([400, message])
    const { entity, etag } = await read(id)
    const reference = { id: contact.id, name: contact.name, path: contact.path }
    const content = JSON.stringify({ ...JSON.parse(entity.content), extendsEntity: reference })
    const body = { id, content }
    const verdict = await admin.refusal(adminValidateEntityContent, { body })
    expect([verdict.status, verdict.answer.message]).toEqual([400, message])
    const stored = await admin.refusal(adminUpdateEntityContent, { body, ifMatch: etag })
    expect([stored.status, stored.answer.message]).toEqual([400, message])
    // The automatic key may be kept as an ordinary attribute; a subtype gets no second key either.
    const typeAttributes = [{ uid: entity.typeAttributes[0]?.uid, purpose: 'hasA' as const }]
    await save(id, { extendsEntity: { id: contact.id }, typeAttributes })
    expect(await columns(id)).toEqual({ own: ['mrn'], keys: ['contactId'] })
    const again = [{ uid: entity.typeAttributes[0]?.uid, purpose: 'identifiedBy' as const }]
    expect((await refusal(id, { typeAttributes: again })).answer.message).toBe(message)
  })

  it("an administrator's content save with a second key is rejected", async () => {
    const contact = await create('Contact', { typeAttributes: [key('contactId')] })
    const { id } = await create('Patient')
    const { entity, etag } = await read(id)
    const reference = { id: contact.id, name: contact.name, path: contact.path }
    const content = JSON.stringify({ ...JSON.parse(entity.content), extendsEntity: reference })
    await admin.call(adminValidateEntityContent, { body: { id, content } })
    await admin.call(adminUpdateEntityContent, { body: { id, content }, ifMatch: etag })
    expect(await columns(id)).toEqual({ own: [], keys: ['contactId'] })
  })

  it('subtypes keep one key when the base entity loses or gains its key', async () => {
    const parent = await create('Parent', { typeAttributes: [key('code'), { name: 'title' }] })
    const child = await create('Child', { extendsEntity: { id: parent.id }, typeAttributes: [{ name: 'note' }] })
    const grandchild = await create('Grandchild', { extendsEntity: { id: child.id } })
    const [code, title] = parent.typeAttributes.map(({ uid }) => ({ uid }))
    await save(parent.id, { typeAttributes: [title ?? {}] })
    expect(await columns(parent.id)).toEqual({ own: ['title'], keys: [] })
    expect(await columns(child.id)).toEqual({ own: ['id', 'note'], keys: ['id'] })
    expect(await columns(grandchild.id)).toEqual({ own: [], keys: ['id'] })
    const [entry] = await entries(child)
    expect(entry?.DESCRIPTION).toBe(`${child.name} has its own key again: it no longer inherits one.`)
    expect(entry?.CHANGE_ID).toBe((await entries(parent))[0]?.CHANGE_ID)

    const visit = await create('Visit')
    await relate(visit.id, grandchild, 'grandchildId')
    const keyed = { typeAttributes: [{ ...key('number') }, title ?? {}] }
    const { status, answer } = await refusal(parent.id, keyed)
    expect([status, answer.references?.map(({ id, target }) => [id, target.id, target.attribute?.name])]).toEqual([
      409,
      [[visit.id, grandchild.id, 'id']],
    ])
    await save(parent.id, keyed, { onReferences: 'keep' })
    expect(await columns(child.id)).toEqual({ own: ['note'], keys: ['number'] })
    expect(await columns(grandchild.id)).toEqual({ own: [], keys: ['number'] })
    expect((await columns(visit.id)).own).toEqual(['id', 'grandchildId'])
    expect((await entries(child))[0]?.DESCRIPTION).toBe(`${child.name} now inherits its key from ${parent.name}.`)
    expect(code?.uid).toBeDefined()
  })

  it('a new key of a base entity is rejected if a subtype has a user-defined key', async () => {
    const parent = await create('Parent', { typeAttributes: [key('code')] })
    await save(parent.id, { typeAttributes: [{ name: 'title' }] })
    const child = await create('Child', { extendsEntity: { id: parent.id }, typeAttributes: [key('own')] })
    const { status, answer } = await refusal(parent.id, { typeAttributes: [key('code')] })
    expect([status, answer.message]).toEqual([
      400,
      `${child.name} has the key "own" and inherits the key "code" from ${parent.name}. An entity can have only one key: make "own" an ordinary attribute first.`,
    ])
    expect(await columns(parent.id)).toEqual({ own: ['title'], keys: [] })
  })

  it('a new base entity and a concurrent new key are reported as a conflict', async () => {
    const contact = await create('Contact', { typeAttributes: [key('contactId')] })
    const mrn = { ...key('mrn') }
    for (const isExtendedFirst of [true, false]) {
      const { id } = await create('Patient')
      const { etag } = await read(id)
      const extended = { extendsEntity: { id: contact.id } }
      const keyed = { typeAttributes: [mrn] }
      const [first, second] = isExtendedFirst ? [extended, keyed] : [keyed, extended]
      await save(id, first)
      const stale = { ...saving(id, second), ifMatch: etag }
      const { status, answer } = await admin.refusal(updateEntity, stale)
      expect([status, answer.code]).toEqual([409, 'conflict'])
      const [base, mine, theirs] = ['id', isExtendedFirst ? 'mrn' : null, isExtendedFirst ? null : 'mrn']
      expect(answer.conflicts).toMatchObject([{ path: '', field: 'primaryKey', base, mine, theirs }])
    }
  })

  it('an ordinary attribute "id" is unchanged when an extension is removed', async () => {
    const contact = await create('Contact', { typeAttributes: [key('contactId')] })
    const id = { name: 'id', dataType: 'string' as const, nullable: true }
    const patient = await create('Patient', { extendsEntity: { id: contact.id }, typeAttributes: [id] })
    const child = await create('Child', { extendsEntity: { id: patient.id } })
    const { entity } = await save(patient.id, { extendsEntity: null })
    expect(entity).toMatchObject({ primaryKey: null, typeAttributes: [{ ...id, purpose: 'hasA' }] })
    expect(await columns(child.id)).toEqual({ own: [], keys: [] })
  })

  /** An entity whose key is the foreign key to a target, one that extends it, and one that refers to that. */
  const keyedByTarget = async () => {
    const target = await create('Target')
    const foreignKeyAttribute = { typeAttributeName: 'targetId', purpose: 'identifiedBy' as const }
    const entityAttributes = [{ ...aRelationship(target, ''), foreignKeyAttribute }]
    const parent = await create('Parent', { entityAttributes, typeAttributes: [{ name: 'note' }] })
    const child = await create('Child', { extendsEntity: { id: parent.id } })
    const visit = await create('Visit')
    await relate(visit.id, child, 'childId', 'targetId')
    expect([await columns(parent.id), await columns(child.id)]).toEqual([
      { own: ['note'], keys: ['targetId'] },
      { own: [], keys: ['targetId'] },
    ])
    return { target, parent, child, visit }
  }

  it('the automatic key is restored when a deletion removes a foreign key used as the key, for subtypes too', async () => {
    const { target, parent, child, visit } = await keyedByTarget()
    await designer.call(deleteEntity, { params: { id: target.id }, query: { onReferences: 'remove' } })
    expect([await columns(parent.id), await columns(child.id)]).toEqual([
      { own: ['id', 'note'], keys: ['id'] },
      { own: [], keys: ['id'] },
    ])
    expect((await read(visit.id)).entity.entityAttributes).toEqual([])
    expect((await entries(parent))[0]?.DESCRIPTION).toContain(`${parent.name} now has the automatic key "id"`)
  })

  it('the automatic key is restored when a removed attribute removes a foreign key used as the key', async () => {
    const { target, parent, child } = await keyedByTarget()
    await save(target.id, { typeAttributes: [{ name: 'title' }] }, { onReferences: 'remove' })
    expect([await columns(parent.id), await columns(child.id)]).toEqual([
      { own: ['id', 'note'], keys: ['id'] },
      { own: [], keys: ['id'] },
    ])
    expect((await entries(parent))[0]?.DESCRIPTION).toContain(`${parent.name} now has the automatic key "id"`)
  })

  it('the column of a key whose target is deleted is kept if requested', async () => {
    const { target, parent, child } = await keyedByTarget()
    await designer.call(deleteEntity, { params: { id: target.id }, query: { onReferences: 'keep' } })
    expect([await columns(parent.id), await columns(child.id)]).toEqual([
      { own: ['targetId', 'note'].toSorted(), keys: ['targetId'] },
      { own: [], keys: ['targetId'] },
    ])
  })

  it('the automatic key is restored when a base entity is deleted with the target of its key', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: `Removed${++count}` } })
    const { id } = manifest
    const target = await create('Target', {}, id)
    const foreignKeyAttribute = { typeAttributeName: 'targetId', purpose: 'identifiedBy' as const }
    const parent = await create(
      'Parent',
      { entityAttributes: [{ ...aRelationship(target, ''), foreignKeyAttribute }] },
      id,
    )
    const child = await create('Child', { extendsEntity: { id: parent.id }, typeAttributes: [{ name: 'note' }] })
    const grandchild = await create('Grandchild', { extendsEntity: { id: child.id } })
    await designer.call(deleteManifest, { params: { id }, query: { onReferences: 'remove' } })
    expect([await columns(child.id), await columns(grandchild.id)]).toEqual([
      { own: ['id', 'note'], keys: ['id'] },
      { own: [], keys: ['id'] },
    ])
  })

  it('an extension and a concurrent foreign key as key are reported as a conflict', async () => {
    const contact = await create('Contact', { typeAttributes: [key('contactId')] })
    const target = await create('Target')
    const foreignKeyAttribute = { typeAttributeName: 'targetId', purpose: 'identifiedBy' as const }
    const keyed = { typeAttributes: [], entityAttributes: [{ ...aRelationship(target, ''), foreignKeyAttribute }] }
    const extended = { extendsEntity: { id: contact.id } }
    for (const [first, second] of [
      [extended, keyed],
      [keyed, extended],
    ] as const) {
      const { id } = await create('Patient')
      const { etag } = await read(id)
      await save(id, first)
      const { status, answer } = await admin.refusal(updateEntity, { ...saving(id, second), ifMatch: etag })
      const [mine, theirs] = second === keyed ? ['targetId', null] : [null, 'targetId']
      expect([status, answer.conflicts]).toMatchObject([
        409,
        [{ path: '', field: 'primaryKey', base: 'id', mine, theirs }],
      ])
    }
  })
})
