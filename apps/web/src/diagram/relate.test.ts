import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { columnName, columnsOf } from '@cadmus/model/columns'
import { type EntityContent, newEntityContent } from '@cadmus/model/entity'
import { aKey, aList, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { afterEach, describe, expect, it } from 'vitest'
import { entityQuery } from '../api/entities.ts'
import { queryClient } from '../api/query-client.ts'
import { draftKey } from '../drafts/draft-key.ts'
import { entityStandIn } from '../drafts/entity-draft.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { noticeStore } from '../ui/notices.ts'
import { questionStore } from '../workbench/confirm.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { addRelationship, previewRelationship } from './relate.ts'

let lastId = 4000

/** An entity as read from the server, with its columns resolved. */
function aStoredEntity(name: string, fields: Partial<EntityContent> = {}): EntityAnswer {
  const id = (lastId += 1)
  const content = newEntityContent({ name, typeAttributes: [aKey()], ...fields })
  const standIn = entityStandIn(id, content, undefined)
  const declaredBy = { id, name, path: standIn.path }
  const resolvedAttributes: EntityAnswer['resolvedAttributes'] = content.typeAttributes.map(attribute => ({
    name: attribute.name,
    dataType: attribute.dataType,
    isPrimaryKey: attribute.purpose === 'identifiedBy',
    nullable: attribute.nullable,
    maxLength: attribute.maxLength,
    choices: [],
    kind: 'type',
    origin: 'own',
    declaredBy,
  }))
  const entity = { ...standIn, resolvedAttributes }
  queryClient.setQueryData(entityQuery(id).queryKey, { entity, etag: '"1"' })
  return entity
}

const draftOf = ({ id }: { id: number }) => entityStore.get(draftKey(id, undefined))?.draft
const namesIn = (entity: { id: number }) =>
  columnsOf(draftOf(entity)?.content ?? newEntityContent({ name: 'No' })).map(columnName)
const lastNotice = () => noticeStore.getState().notices.at(-1)

afterEach(() => {
  noticeStore.setState({ notices: [] })
  workbench.getState().reset()
})

describe('a relationship drawn in the diagram', () => {
  it('gets a free name of the target and its key, and is an unsaved step of the entity', async () => {
    const patient = aStoredEntity('Patient')
    const visit = aStoredEntity('Visit', {
      typeAttributes: aList(aKey(), aTypeAttribute({ name: 'PatientID', dataType: 'integer' })),
    })
    expect(await previewRelationship(visit, patient)).toBe('patientId_2 → Patient.id')
    expect(await addRelationship(visit, patient)).not.toBeNull()
    const draft = draftOf(visit)
    expect(draft?.done).toHaveLength(1)
    expect(draft?.content.entityAttributes).toMatchObject([
      {
        associatedEntity: { id: patient.id, name: 'Patient' },
        associatedEntityTypeAttribute: 'id',
        foreignKeyTypeAttribute: 'patientId_2',
        foreignKeyDataType: 'integer',
        foreignKeyPurpose: 'hasA',
        position: 2,
      },
    ])
    expect(draftOf(patient)).toBeUndefined()
  })

  it('opens the entity in a background tab, so that Save All includes it', async () => {
    const [visit, patient] = [aStoredEntity('Visit'), aStoredEntity('Patient')]
    workbench.getState().open({ kind: 'manifest', id: 1, name: 'Clinic' })
    await addRelationship(visit, patient)
    const { tabs, active } = workbench.getState()
    expect(tabs.map(({ tabId }) => tabId)).toEqual(['manifest:1', `entity:${visit.id}`])
    expect(active).toBe('manifest:1')
  })

  it('is named in a notice, which takes it back while it is the last step', async () => {
    const [visit, patient, doctor] = [aStoredEntity('Visit'), aStoredEntity('Patient'), aStoredEntity('Doctor')]
    await addRelationship(visit, patient)
    const first = lastNotice()
    expect(first?.text).toBe('Added patientId → Patient.id, not saved yet.')
    await addRelationship(visit, doctor)
    first?.action?.run()
    expect(namesIn(visit)).toEqual(['id', 'patientId', 'doctorId'])
    entityStore.dispatch(draftKey(visit.id, undefined), { kind: 'undo' })
    first?.action?.run()
    expect(namesIn(visit)).toEqual(['id'])
  })

  it('is named in a notice about unsaved changes', async () => {
    const [visit, patient] = [aStoredEntity('Visit'), aStoredEntity('Patient')]
    await addRelationship(visit, patient)
    const notice = lastNotice()
    expect(notice?.isUnsaved?.()).toBe(true)
    entityStore.close([draftKey(visit.id, undefined)])
    expect(notice?.isUnsaved?.()).toBe(false)
  })

  it('is a step that the diagram takes back and makes again while it is the last one of the entity', async () => {
    const [visit, patient] = [aStoredEntity('Visit'), aStoredEntity('Patient')]
    const key = draftKey(visit.id, undefined)
    const step = await addRelationship(visit, patient)
    expect([step?.canUndo(), step?.canRedo()]).toEqual([true, false])
    step?.undo()
    expect([namesIn(visit), step?.canUndo(), step?.canRedo()]).toEqual([['id'], false, true])
    step?.redo()
    expect([namesIn(visit), step?.canUndo(), step?.canRedo()]).toEqual([['id', 'patientId'], true, false])
    entityStore.edit(key, () => [{ kind: 'changeEntity', change: { description: 'later' } }])
    expect([step?.canUndo(), step?.canRedo()]).toEqual([false, false])
  })

  it('takes the type of the key that it refers to', async () => {
    const country = aStoredEntity('Country', { typeAttributes: [aKey({ name: 'code', dataType: 'string' })] })
    const visit = aStoredEntity('Visit')
    await addRelationship(visit, country)
    expect(draftOf(visit)?.content.entityAttributes).toMatchObject([
      { foreignKeyTypeAttribute: 'countryCode', foreignKeyDataType: 'string' },
    ])
  })

  it('drawn from an attribute makes that attribute the foreign key, after a question', async () => {
    const patient = aStoredEntity('Patient')
    const who = aTypeAttribute({ name: 'who', dataType: 'integer' })
    const visit = aStoredEntity('Visit', { typeAttributes: aList(aKey(), who) })
    expect(await previewRelationship(visit, patient, who.uid)).toBe('who → Patient.id')
    const adding = addRelationship(visit, patient, who.uid)
    await expect.poll(() => questionStore.getState().question?.text).toContain("delete the 'who' attribute")
    questionStore.getState().question?.answer('confirm')
    expect(await adding).not.toBeNull()
    expect(namesIn(visit)).toEqual(['id', 'who'])
    expect(draftOf(visit)?.content.entityAttributes.map(({ uid }) => uid)).toEqual([who.uid])
  })

  it('drawn from the key gets a column of its own', async () => {
    const [patient, key] = [aStoredEntity('Patient'), aKey()]
    const visit = aStoredEntity('Visit', { typeAttributes: [key] })
    await addRelationship(visit, patient, key.uid)
    expect(namesIn(visit)).toEqual(['id', 'patientId'])
  })
})

describe('no relationship is drawn', () => {
  const reasonOf = async (...input: Parameters<typeof addRelationship>) => {
    expect(await addRelationship(...input)).toBeNull()
    expect(await previewRelationship(...input)).toBe(lastNotice()?.text)
    return lastNotice()?.text
  }

  it('from an entity to itself', async () => {
    const visit = aStoredEntity('Visit')
    expect(await reasonOf(visit, visit)).toBe('An entity cannot refer to itself here; import keeps such references.')
  })

  it('to an entity without a key', async () => {
    const [visit, note] = [aStoredEntity('Visit'), aStoredEntity('Note', { typeAttributes: [aTypeAttribute()] })]
    expect(await reasonOf(visit, note)).toBe('Note has no key that a foreign key can refer to.')
  })

  it('from a foreign key', async () => {
    const patient = aStoredEntity('Patient')
    const relationship = aRelationship({ ...newEntityContent({ name: 'Doctor' }), id: 9, path: 'x/Doctor' })
    const visit = aStoredEntity('Visit', { entityAttributes: [relationship] })
    expect(await reasonOf(visit, patient, relationship.uid)).toBe('doctorId is a foreign key already.')
  })

  it('from a predefined entity', async () => {
    const [visit, patient] = [aStoredEntity('Visit'), aStoredEntity('Patient')]
    const locked = { ...visit, isDefault: true }
    queryClient.setQueryData(entityQuery(visit.id).queryKey, { entity: locked, etag: '"1"' })
    expect(await reasonOf(visit, patient)).toMatch(/predefined|default|read-only/i)
    expect(draftOf(visit)).toBeUndefined()
  })

  it('to an entity that is not in the organisation', async () => {
    expect(await reasonOf(aStoredEntity('Visit'), { id: -1, name: 'Ghost' })).toBe('Ghost is not in the organisation.')
  })

  it('if the question about the replaced attribute is answered with Cancel', async () => {
    const patient = aStoredEntity('Patient')
    const who = aTypeAttribute({ name: 'who' })
    const visit = aStoredEntity('Visit', { typeAttributes: aList(aKey(), who) })
    const adding = addRelationship(visit, patient, who.uid)
    await expect.poll(() => questionStore.getState().question).not.toBeNull()
    questionStore.getState().question?.answer('cancel')
    expect(await adding).toBeNull()
    expect(draftOf(visit)).toBeUndefined()
  })
})
