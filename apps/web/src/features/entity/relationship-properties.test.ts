import { newEntityContent } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { holds } from '@cadmus/testing/holds'
import { expect, it } from 'vitest'
import { draftKey } from '../../drafts/draft-key.ts'
import { entityDrafts, entityStandIn } from '../../drafts/entity-draft.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import { relationshipProperties } from './relationship-properties.ts'

const relationship = newEntityAttribute({
  associatedEntity: { id: 9, name: 'Account', path: 'user-defined/Shop/Account' },
  associatedEntityTypeAttribute: 'id',
  foreignKeyTypeAttribute: 'accountId',
  position: 1,
})

function propertiesOf(locked: string | null) {
  const entity = entityStandIn(1, newEntityContent({ name: 'Order', entityAttributes: [relationship] }), undefined)
  const draft = entityDrafts.open(entity, '"1"')
  const view = { key: draftKey(1, undefined), entity, draft, locked, versionsLocked: null, saveLocked: null }
  return relationshipProperties(view, relationship.uid, { targets: [], failure: null, isRead: true })?.properties ?? []
}

it('the properties of a relationship are the same, as text, if its entity is locked', () => {
  const labels = propertiesOf(null).map(({ label }) => label)
  expect(labels).toEqual([
    'Associated Entity',
    'Target Entity Attribute',
    'Foreign Key Type Attribute',
    'Foreign Key Data Type',
    'Foreign Key Purpose',
    'Description',
    'Nullable',
    'Unique',
    'On Delete',
    'On Update',
    'Trait Reference',
  ])
  const locked = propertiesOf('It is predefined.')
  expect(locked.map(({ label }) => label)).toEqual(labels)
  const texts = locked.flatMap(property => (property.editor === 'shown' ? [property.value] : []))
  expect(texts).toEqual([
    'id',
    'accountId',
    'integer',
    'hasA',
    '',
    'Yes',
    'No',
    'restrict',
    'restrict',
    relationship.traitReference,
  ])
})

it('a relationship to a key of several attributes has a column for each', () => {
  const line = newTypeAttribute({ name: 'line', dataType: 'integer', position: 2 })
  const content = newEntityContent({ name: 'Order', typeAttributes: [line], entityAttributes: [relationship] })
  const entity = entityStandIn(2, content, undefined)
  const key = draftKey(2, undefined)
  entityStore.receive(entity, '"1"', undefined)
  const pairs = () => {
    const draft = entityStore.get(key)?.draft
    if (!draft) throw new Error('The entity is not open.')
    const view = { key, entity, draft, locked: null, versionsLocked: null, saveLocked: null }
    const targets = ['id', 'lineNo'].map(name => ({ name, isPrimaryKey: true, dataType: 'integer' as const }))
    const { properties } =
      relationshipProperties(view, relationship.uid, { targets, failure: null, isRead: true }) ?? {}
    return (properties ?? []).filter(({ id }) => id.startsWith('alsoBy'))
  }
  const [property] = pairs()
  expect(property).toMatchObject({ label: 'Column for Account.lineNo', value: '' })
  if (property?.editor === 'select') property.onApply('line')
  expect(entityStore.get(key)?.draft.content.entityAttributes[0]?.alsoBy).toEqual([
    { uid: line.uid, name: 'line', target: 'lineNo', targetUid: null },
  ])
  expect(pairs()).toMatchObject([{ value: 'line' }])
})

it('a changed property of a relationship is an unsaved step and keeps the other properties', () => {
  const entity = entityStandIn(1, newEntityContent({ name: 'Order', entityAttributes: [relationship] }), undefined)
  const key = draftKey(1, undefined)
  entityStore.receive(entity, '"1"', undefined)
  const draft = entityStore.get(key)?.draft
  if (!draft) throw new Error('The entity is not open.')
  const view = { key, entity, draft, locked: null, versionsLocked: null, saveLocked: null }
  const group = relationshipProperties(view, relationship.uid, { targets: [], failure: null, isRead: true })
  const trait = group?.properties.find(({ id }) => id === 'traitReference')
  if (trait?.editor === 'search') trait.onApply({ value: 'is.custom', label: 'is.custom', data: null })
  const changed = entityStore.get(key)?.draft
  expect(changed?.changes).toBe(1)
  expect(changed?.content.entityAttributes).toEqual([{ ...relationship, traitReference: 'is.custom' }])
})

it('a foreign key name in the properties is judged by its rule', holds('E5.21', 'E5.22'), () => {
  const property = propertiesOf(null).find(({ id }) => id === 'foreignKeyTypeAttribute')
  const judged = (text: string) => (property?.editor === 'text' ? property.validate?.(text) : 'no text')
  expect(judged('a__b')).not.toBeNull()
  expect(judged('a')).not.toBeNull()
  expect(judged('otherId')).toBeNull()
})
