import { readStored } from '@cadmus/model/stored/stored-form'
import { isTypeAttribute } from '@cadmus/model/columns'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import {
  addAttributeEdits,
  changeAttributeEdits,
  removeAttributesEdits,
  reorderColumnsEdits,
} from '@cadmus/model/edits/entity-actions'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { newEntityContent, noScopes, type EntityContent } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { contentFromRequest, entityRequestOf } from '@cadmus/model/apply-request'
import { entityRequest } from '@cadmus/model/contract/entity-shapes'
import { isPrimaryKey, newTypeAttribute } from '@cadmus/model/type-attribute'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { toStoredDraft, restoredFrom } from './stored-draft.ts'
import {
  draftPath,
  draftPrimaryKey,
  entityDrafts,
  entityStandIn,
  onlyScopesChanged,
  sheetRows,
  type EntityDraft,
} from './entity-draft.ts'
import { entityDraftForm } from './entity-store.ts'

const attributeRows = (draft: EntityDraft) => sheetRows(draft).filter(isTypeAttribute)

const key = newTypeAttribute({ name: 'id', dataType: 'integer', purpose: 'identifiedBy', position: 0 })
const first = newTypeAttribute({ name: 'first', position: 1, maxLength: 40 })
const second = newTypeAttribute({ name: 'second', position: 3 })
const relationship = newEntityAttribute({
  associatedEntity: { id: 9, name: 'Account', path: 'user-defined/Shop/Account' },
  associatedEntityTypeAttribute: 'id',
  foreignKeyTypeAttribute: 'accountId',
  position: 2,
})
const content = newEntityContent({
  name: 'Sale',
  typeAttributes: [key, first, second],
  entityAttributes: [relationship],
})

function answer(overrides: Partial<EntityContent> = {}): EntityAnswer {
  const place = { path: 'user-defined/Shop/Sale', version: '1.0.0', manifest: { id: 2, name: 'Shop' } }
  return entityStandIn(4, { ...content, ...overrides }, place)
}

const opened = () => entityDrafts.open(answer(), '"a"')
const change = (draft: EntityDraft, uid: string, overrides: Parameters<typeof changeAttributeEdits>[2]) =>
  entityDrafts.edited(draft, changeAttributeEdits(draft.content, uid, overrides))
const describeAs = (draft: EntityDraft, description: string) =>
  entityDrafts.edited(draft, [{ kind: 'changeEntity', change: { description } }])
const attribute = (draft: EntityDraft, uid: string) => draft.content.typeAttributes.find(item => item.uid === uid)

describe('an open entity with unsaved edits', () => {
  it('counts as unsaved only while it differs from the stored state', holds('E4.14'), () => {
    const one = change(opened(), first.uid, { description: 'x' })
    expect([opened().changes, one.changes]).toEqual([0, 1])
    expect(change(one, first.uid, { description: '' }).changes).toBe(0)
    expect(change(opened(), first.uid, { name: 'first' }).done).toEqual([])
  })

  it('derives its path from the new name, and its primary key from the renamed key', holds('E4.20', 'E4.21'), () => {
    expect(draftPath(entityDrafts.edited(opened(), [{ kind: 'changeEntity', change: { name: 'Order' } }]))).toBe(
      'user-defined/Shop/Order',
    )
    expect(draftPrimaryKey(change(opened(), key.uid, { name: 'saleId' }))).toBe('saleId')
  })

  it('lists the key first, then the other attributes in order', holds('E2.73'), () => {
    const moved = entityDrafts.edited(opened(), [
      { kind: 'moveColumns', moves: [{ uid: key.uid, before: null }], places: [] },
    ])
    expect(attributeRows(moved).map(row => row.name)).toEqual(['id', 'first', 'second'])
  })

  it('detects that only scopes have changed', holds('E4.7'), () => {
    const scoped = entityDrafts.edited(opened(), [
      { kind: 'changeScopes', change: { selectOperationScopes: ['read'] } },
    ])
    expect(scoped.content.operationScopes).toEqual({ ...noScopes, selectOperationScopes: ['read'] })
    expect([onlyScopesChanged(scoped), onlyScopesChanged(describeAs(scoped, 'x'))]).toEqual([true, false])
  })

  it('saves with a request that describes exactly its content', holds('E3.35', 'E3.41', 'E3.51', 'E3.57'), () => {
    const draft = change(opened(), first.uid, { nullable: true, choices: ['a'] })
    const sent = entityRequestOf(draft.content, '1.0.0', 2)
    expect(sent.entity.typeAttributes[1]).toMatchObject({ uid: first.uid, isNullable: true, appliedTraits: [] })
    expect(sent.entity.typeAttributes[1]).not.toHaveProperty('nullable')
    expect(sent.entity.entityAttributes[0]).toMatchObject({ associatedEntityId: 9, simple: 'true', version: '1.0.0' })
    expect(contentFromRequest(entityRequest.parse(sent), draft.base)).toEqual(draft.content)
  })
})

describe('undo and redo of entity edits', () => {
  it('restore each previous state, and name each step', () => {
    const draft = describeAs(change(opened(), first.uid, { name: 'primus' }), 'x')
    expect(draft.done.map(step => step.name)).toEqual([
      'Renamed attribute first to primus',
      'Changed description of the entity from none to x',
    ])
    const once = entityDrafts.undone(draft)
    expect(once.content.description).toBe('')
    const twice = entityDrafts.undone(once)
    expect([twice.content, twice.changes]).toEqual([content, 0])
    expect(entityDrafts.undone(twice)).toBe(twice)
    expect(entityDrafts.redone(entityDrafts.redone(twice)).content).toEqual(draft.content)
    expect(entityDrafts.redone(draft)).toBe(draft)
  })

  it('clear redo on a new edit', () => {
    const draft = change(entityDrafts.undone(describeAs(opened(), 'x')), first.uid, { name: 'primus' })
    expect(draft.undone).toEqual([])
  })

  it('redo discarded edits', () => {
    const draft = describeAs(change(opened(), first.uid, { name: 'primus' }), 'x')
    const none = entityDrafts.discarded(draft)
    expect([none.changes, none.content]).toEqual([0, content])
    expect(entityDrafts.redone(entityDrafts.redone(none)).content).toEqual(draft.content)
  })

  it('insert restored edits below later ones, each step once', () => {
    const draft = describeAs(change(opened(), first.uid, { name: 'primus' }), 'x')
    const none = entityDrafts.discarded(draft)
    const names = draft.done.map(step => step.name)
    expect(entityDrafts.withDiscarded(none, draft)).toMatchObject({ content: draft.content, undone: [] })
    const since = change(none, second.uid, { name: 'secundus' })
    const all = entityDrafts.withDiscarded(since, draft)
    expect(all.content).toEqual(change(draft, second.uid, { name: 'secundus' }).content)
    expect(all.done.map(step => step.name)).toEqual([...names, 'Renamed attribute second to secundus'])
    expect(entityDrafts.withDiscarded(describeAs(none, 'newer'), draft).content.description).toBe('newer')
    expect(entityDrafts.withDiscarded(entityDrafts.redone(none), draft)).toMatchObject({
      content: draft.content,
      undone: [],
    })
    expect(entityDrafts.withDiscarded(draft, draft).done.map(step => step.name)).toEqual(names)
    const reopened = opened()
    expect(entityDrafts.withDiscarded(reopened, draft)).toMatchObject({
      content: draft.content,
      changes: draft.changes,
    })
    expect(entityDrafts.withDiscarded(describeAs(reopened, 'newer'), draft).content).toEqual(
      describeAs(draft, 'newer').content,
    )
    const saved = entityDrafts.open(answer(draft.content), '"b"')
    expect(entityDrafts.withDiscarded(saved, draft)).toBe(saved)
  })
})

describe('a draft whose entity changed on the server', () => {
  const theirs = answer({ description: 'theirs', typeAttributes: [key, { ...first, maxLength: 80 }] })

  it('keeps the edits, shows concurrent changes of other fields, and can still be undone', () => {
    const mine = change(opened(), first.uid, { description: 'mine' })
    const draft = entityDrafts.rebased(
      entityDrafts.edited(mine, addAttributeEdits(mine.content, { name: 'more', dataType: 'float' })),
      theirs,
      '"b"',
    )
    expect(draft).toMatchObject({ etag: '"b"', changes: 2, content: { description: 'theirs' } })
    expect(attribute(draft, first.uid)).toMatchObject({ description: 'mine', maxLength: 80 })
    expect(attribute(entityDrafts.undone(entityDrafts.undone(draft)), first.uid)).toMatchObject({
      description: '',
      maxLength: 80,
    })
  })

  it('a draft is not rebased if both changed the same field, so that the save reports the conflict', () => {
    const draft = entityDrafts.rebased(describeAs(opened(), 'mine'), theirs, '"b"')
    expect(draft).toMatchObject({ etag: '"a"', content: { description: 'mine' } })
    expect(entityDrafts.keepMine(draft, theirs, '"b"')).toMatchObject({
      etag: '"b"',
      content: { description: 'mine' },
      changes: 1,
    })
    const resolved = entityDrafts.takeTheirs(draft, { saved: theirs, etag: '"b"' })
    expect(resolved).toMatchObject({ etag: '"b"', content: { description: 'theirs' }, changes: 0 })
    expect(entityDrafts.redone(resolved).content.description).toBe('mine')
  })

  it('keeps all my fields that would be invalid together with theirs', () => {
    const theirs = answer({ typeAttributes: [key, { ...first, defaultValue: 'x', description: 'theirs' }, second] })
    const mine = change(opened(), first.uid, { dataType: 'integer', maxLength: null })
    expect(entityDrafts.rebased(mine, theirs, '"b"')).toMatchObject({ etag: '"a"', base: mine.base })
    const resolved = entityDrafts.keepMine(mine, theirs, '"b"')
    expect(attribute(resolved, first.uid)).toMatchObject({
      dataType: 'integer',
      defaultValue: null,
      description: 'theirs',
    })
  })

  it('gives up only the conflicting fields when theirs are taken', () => {
    const mine = describeAs(change(opened(), second.uid, { description: 'only mine', name: 'mine' }), 'mine')
    const more = entityDrafts.edited(mine, addAttributeEdits(mine.content, { name: 'more', dataType: 'float' }))
    const now = answer({ description: 'theirs', typeAttributes: [key, first, { ...second, name: 'theirs' }] })
    const resolved = entityDrafts.takeTheirs(entityDrafts.rebased(more, now, '"b"'), { saved: now, etag: '"b"' })
    expect(resolved).toMatchObject({ etag: '"b"', changes: 2, content: { description: 'theirs' } })
    expect(attribute(resolved, second.uid)).toMatchObject({ name: 'theirs', description: 'only mine' })
    expect(attributeRows(resolved).map(row => row.name)).toEqual(['id', 'first', 'theirs', 'more'])
    const again = entityDrafts.redone(resolved)
    expect(again.content.description).toBe('mine')
    expect(attributeRows(again).map(row => row.name)).toEqual(['id', 'first', 'mine', 'more'])
    expect(entityDrafts.undone(again).content).toEqual(resolved.content)
  })

  it('restores attributes that they deleted and I edited when mine are kept', () => {
    const draft = entityDrafts.rebased(change(opened(), second.uid, { description: 'mine' }), theirs, '"b"')
    expect(draft.etag).toBe('"a"')
    expect(attribute(entityDrafts.keepMine(draft, theirs, '"b"'), second.uid)).toMatchObject({ description: 'mine' })
  })

  it('keeps my order of the attributes that they did not remove when mine are kept', () => {
    const rows = ['a', 'b', 'c', 'd'].map((name, position) => newTypeAttribute({ name, position }))
    const draft = describeAs(entityDrafts.open(answer({ typeAttributes: rows, entityAttributes: [] }), '"a"'), 'mine')
    for (const order of ['bacd', 'bcad', 'dabc', 'dcba']) {
      const uids = [...order].flatMap(name => rows.filter(row => row.name === name).map(({ uid }) => uid))
      const mine = entityDrafts.edited(draft, reorderColumnsEdits(draft.content, uids))
      for (const removed of rows) {
        const typeAttributes = rows.filter(row => row !== removed)
        const now = answer({ description: 'theirs', typeAttributes, entityAttributes: [] })
        const resolved = entityDrafts.keepMine(entityDrafts.rebased(mine, now, '"b"'), now, '"b"')
        const names = attributeRows(resolved).map(({ name }) => name)
        expect(names.join('')).toBe(order.replace(removed.name, ''))
      }
    }
  })

  it('keeps only my attribute of two with the same name when mine are kept', () => {
    const mine = entityDrafts.edited(opened(), addAttributeEdits(content, { name: 'email', dataType: 'string' }))
    const added = newTypeAttribute({ name: 'Email', dataType: 'integer', position: 4 })
    const now = answer({ typeAttributes: [key, first, second, added] })
    const draft = entityDrafts.rebased(mine, now, '"b"')
    expect(draft.etag).toBe('"a"')
    const resolved = entityDrafts.keepMine(draft, now, '"b"')
    expect(attributeRows(resolved).map(({ name, dataType }) => [name, dataType])).toEqual([
      ['id', 'integer'],
      ['first', 'string'],
      ['second', 'string'],
      ['email', 'string'],
    ])
    expect(entityDrafts.undone(resolved).content.typeAttributes).toHaveLength(5)
  })

  it('restores the name of an attribute that they had given my name when mine are kept', () => {
    const mine = entityDrafts.edited(opened(), addAttributeEdits(content, { name: 'email', dataType: 'float' }))
    const now = answer({ typeAttributes: [key, first, { ...second, name: 'email', description: 'theirs' }] })
    const resolved = entityDrafts.keepMine(entityDrafts.rebased(mine, now, '"b"'), now, '"b"')
    expect(attributeRows(resolved).map(row => row.name)).toEqual(['id', 'first', 'second', 'email'])
    expect(attribute(resolved, second.uid)).toMatchObject({ name: 'second', description: 'theirs' })
  })

  it('keeps only my key of two when mine are kept', () => {
    const bare = answer({ typeAttributes: [first, second] })
    const mine = change(entityDrafts.open(bare, '"a"'), first.uid, { purpose: 'identifiedBy' })
    const now = answer({ typeAttributes: [first, { ...second, purpose: 'identifiedBy', description: 'theirs' }] })
    const resolved = entityDrafts.keepMine(entityDrafts.rebased(mine, now, '"b"'), now, '"b"')
    expect(resolved.content.typeAttributes.filter(isPrimaryKey).map(({ uid }) => uid)).toEqual([first.uid])
    expect(attribute(resolved, second.uid)).toMatchObject({ purpose: 'hasA', unique: true, description: 'theirs' })
  })

  it('keeps only my key if they extended an entity with a key and mine are kept', () => {
    const extendsEntity = { id: 9, name: 'Party', path: 'user-defined/Party' }
    const extended: EntityEdit[] = [
      { kind: 'changeEntity', change: { extendsEntity } },
      { kind: 'removeAttributes', uids: [key.uid] },
    ]
    const keyed: EntityEdit[] = [
      { kind: 'removeAttributes', uids: [key.uid] },
      { kind: 'changeAttributes', changes: [{ uid: first.uid, change: { purpose: 'identifiedBy' } }] },
    ]
    const theirs = (edits: EntityEdit[]) => answer(entityDrafts.edited(opened(), edits).content)
    const keepMine = (mine: EntityEdit[], now: EntityAnswer) =>
      entityDrafts.keepMine(entityDrafts.rebased(entityDrafts.edited(opened(), mine), now, '"b"'), now, '"b"').content
    const subtype = keepMine(extended, theirs(keyed))
    expect([subtype.extendsEntity, subtype.typeAttributes.some(isPrimaryKey)]).toEqual([extendsEntity, false])
    const own = keepMine(keyed, theirs(extended))
    expect([own.extendsEntity, own.typeAttributes.filter(isPrimaryKey).map(({ uid }) => uid)]).toEqual([
      null,
      [first.uid],
    ])
  })

  it('a merge keeps one key, mine, if theirs is a foreign key', () => {
    const bare = answer({ typeAttributes: [first, second] })
    const mine = change(entityDrafts.open(bare, '"a"'), first.uid, { purpose: 'identifiedBy' })
    const relationship = newEntityAttribute({
      associatedEntity: { id: 9, name: 'Party', path: 'user-defined/Party' },
      associatedEntityTypeAttribute: 'id',
      foreignKeyTypeAttribute: 'partyId',
      foreignKeyPurpose: 'identifiedBy',
      position: 4,
    })
    const now = answer({ typeAttributes: [first, second], entityAttributes: [relationship] })
    const { content } = entityDrafts.keepMine(entityDrafts.rebased(mine, now, '"b"'), now, '"b"')
    expect(content.typeAttributes.filter(isPrimaryKey).map(({ uid }) => uid)).toEqual([first.uid])
    expect(content.entityAttributes).toMatchObject([{ foreignKeyTypeAttribute: 'partyId', foreignKeyPurpose: 'hasA' }])
  })

  it('keeps the entity that they extended when mine are kept for another field', () => {
    const extendsEntity = { id: 9, name: 'Party', path: 'user-defined/Party' }
    const extended: EntityEdit[] = [
      { kind: 'changeEntity', change: { extendsEntity, description: 'theirs' } },
      { kind: 'removeAttributes', uids: [key.uid] },
    ]
    const now = answer(entityDrafts.edited(opened(), extended).content)
    const mine = entityDrafts.edited(opened(), [{ kind: 'changeEntity', change: { description: 'mine' } }])
    const { content } = entityDrafts.keepMine(entityDrafts.rebased(mine, now, '"b"'), now, '"b"')
    expect(content.description).toBe('mine')
    expect([content.extendsEntity, content.typeAttributes.some(isPrimaryKey)]).toEqual([extendsEntity, false])
  })

  it('shows the new state if nothing was edited', () => {
    expect(entityDrafts.rebased(opened(), theirs, '"b"')).toMatchObject({
      etag: '"b"',
      changes: 0,
      content: { description: 'theirs' },
    })
  })
})

describe('an entity draft after a save', () => {
  it('keeps edits made during the save on top of the stored state', () => {
    const sent = describeAs(opened(), 'sent')
    const now = change(sent, first.uid, { name: 'later' })
    const draft = entityDrafts.afterSave(now, sent, answer({ description: 'sent' }), '"b"')
    expect(draft.done.map(step => step.name)).toEqual(['Renamed attribute first to later'])
    expect(draft).toMatchObject({ etag: '"b"', changes: 1 })
  })

  it('keeps an undo made during the save', () => {
    const sent = describeAs(opened(), 'sent')
    const draft = entityDrafts.afterSave(entityDrafts.undone(sent), sent, answer({ description: 'sent' }), '"b"')
    expect(draft).toMatchObject({ changes: 1, content: { description: '' } })
  })
})

describe('an entity draft stored in the browser', () => {
  const draft = change(describeAs(opened(), 'mine'), first.uid, { name: 'primus' })
  const stored = readStored(
    entityDraftForm,
    JSON.parse(JSON.stringify(toStoredDraft(draft, '2026-01-02T03:04:05.000Z'))),
  )

  it('is restored with its steps', () => {
    const back = restoredFrom(entityDrafts, stored, answer(), '"a"')
    expect(back).toMatchObject({ content: draft.content, changes: 2, etag: '"a"' })
    expect(entityDrafts.undone(entityDrafts.undone(back)).changes).toBe(0)
  })

  it('is merged with newer server content', () => {
    const moved = answer({ typeAttributes: [key, first, { ...second, maxLength: 9 }] })
    const back = restoredFrom(entityDrafts, stored, moved, '"b"')
    expect(back).toMatchObject({ etag: '"b"', changes: 2, content: { description: 'mine' } })
    expect(attribute(back, second.uid)?.maxLength).toBe(9)
  })

  it('a stored draft is not rebased if both changed the same field', () => {
    expect(restoredFrom(entityDrafts, stored, answer({ description: 'theirs' }), '"b"')).toMatchObject({
      etag: '"a"',
      changes: 2,
    })
  })

  it('is rejected if it is malformed', () => {
    const malformed = { ...stored, steps: [{ name: 'x', edits: [{ kind: 'explode' }] }] }
    expect(() => readStored(entityDraftForm, malformed)).toThrow('The entity draft cannot be read')
  })
})

it('removes several attributes in one step', () => {
  const draft = entityDrafts.edited(opened(), removeAttributesEdits([first.uid, second.uid]))
  expect(draft.done).toHaveLength(1)
  expect(entityDrafts.undone(draft).content).toEqual(content)
})
