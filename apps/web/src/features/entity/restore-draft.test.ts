import { readStored } from '@cadmus/model/stored/stored-form'
import { newEntityContent } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { messages } from '@cadmus/model/messages'
import { expect, it } from 'vitest'
import { entityDraftForm } from '../../drafts/entity-store.ts'
import { restoreEntityDraft } from './restore-draft.ts'

const storedDraft = { base: newEntityContent({ name: 'Sale' }), etag: 'x', steps: [], at: '2026-11-22T08:00:00.000Z' }

it.each([
  ['a base of a format that is not known', '7', { ...storedDraft, base: { ...storedDraft.base, format: 99 } }, 'Sale'],
  [
    'steps that mean nothing',
    '7',
    { ...storedDraft, steps: [{ name: 'Renamed', edits: [{ kind: 'unheardOf' }] }] },
    'Sale',
  ],
  ['nothing that could be one', '7', null, 'an entity'],
  ['a place that is none', 'seven', storedDraft, 'Sale'],
])('an unreadable draft is kept and reported by name: %s', async (_what, key, stored, name) => {
  expect(await restoreEntityDraft(key, stored, () => true)).toEqual({ unreadable: name })
})

it('upgrades a stored draft with content of format 1', () => {
  const relationship = newEntityAttribute({
    associatedEntity: { id: 9, name: 'Account', path: 'user-defined/Shop/Account' },
    associatedEntityTypeAttribute: 'id',
    foreignKeyTypeAttribute: 'accountId',
    position: 1,
  })
  const { base } = readStored(entityDraftForm, {
    ...storedDraft,
    base: {
      ...storedDraft.base,
      format: 1,
      entityAttributes: [{ ...relationship, associatedEntityTypeAttributeUid: undefined }],
    },
  })
  expect(base.entityAttributes[0]).toMatchObject({ associatedEntityTypeAttributeUid: null })
})

it('reports several unreadable drafts in one message', () => {
  const suffix = 'cannot be read by this version of Cadmus. They remain stored in this browser.'
  expect(messages.draftsUnreadable(['Sale'])).toBe(`Unsaved changes of Sale ${suffix}`)
  expect(messages.draftsUnreadable(['Sale', 'Order', 'Sale'])).toBe(`Unsaved changes of Sale and Order ${suffix}`)
  expect(messages.draftsUnreadable(['A', 'B', 'C', 'D', 'E', 'F', 'G'])).toBe(
    `Unsaved changes of A, B, C, D, E and 2 more ${suffix}`,
  )
})
