import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { noScopes } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { isPrimaryKey, newTypeAttribute, type TypeAttribute } from '@cadmus/model/type-attribute'
import { describe, expect, it } from 'vitest'
import {
  addAttribute,
  attributeRows,
  changeAttribute,
  draftPath,
  draftPrimaryKey,
  draftRequest,
  isDirty,
  moveAttribute,
  onlyScopesChanged,
  openDraft,
  rebase,
  removeAttributes,
} from './entity-draft.ts'

function answer(attributes: TypeAttribute[]): EntityAnswer {
  const relationship = newEntityAttribute({
    associatedEntity: { id: 9, name: 'Account', path: 'user-defined/Shop/Account' },
    associatedEntityTypeAttribute: 'id',
    foreignKeyTypeAttribute: 'accountId',
    position: 2,
  })
  return {
    id: 4,
    uid: 'u',
    name: 'Sale',
    path: 'user-defined/Shop/Sale',
    description: '',
    type: 'EXCLUSIVE',
    extendsEntity: null,
    imports: [],
    typeAttributes: attributes.map(own => ({
      ...own,
      isDefault: false,
      isPrimaryKey: isPrimaryKey(own),
      appliedTraits: [],
    })),
    entityAttributes: [{ ...relationship, isDefault: false }],
    primaryKey: 'id',
    isDefault: false,
    targetManifest: { id: 2, name: 'Shop' },
    content: '{}',
    versions: ['1.0.0'],
    latestVersion: '1.0.0',
    currentVersion: '1.0.0',
    operationScopes: noScopes,
    copiedFrom: null,
  }
}

const key = newTypeAttribute({ name: 'id', dataType: 'integer', purpose: 'identifiedBy', position: 0 })
const first = newTypeAttribute({ name: 'first', position: 1, maxLength: 40 })
const second = newTypeAttribute({ name: 'second', position: 3 })
const third = newTypeAttribute({ name: 'third', position: 4 })
const opened = () => openDraft(answer([key, first, second, third]), '"a"')
const names = (draft: ReturnType<typeof opened>) => attributeRows(draft).map(row => row.name)

describe('an open entity with unsaved edits', () => {
  it('E4.14 is unsaved only while something differs from what is stored', () => {
    const draft = opened()
    expect(isDirty(draft)).toBe(false)
    const edited = changeAttribute(draft, first.uid, { description: 'x' })
    expect(isDirty(edited)).toBe(true)
    expect(isDirty(changeAttribute(edited, first.uid, { description: '' }))).toBe(false)
  })

  it('E2.75 a moved row trades places with attributes only, relationships keep theirs', () => {
    const moved = moveAttribute(opened(), third.uid, 0)
    expect(names(moved)).toEqual(['id', 'third', 'first', 'second'])
    expect(moved.typeAttributes.map(row => row.position).toSorted()).toEqual([0, 1, 3, 4])
    expect(names(moveAttribute(moved, third.uid, 99))).toEqual(['id', 'first', 'second', 'third'])
  })

  it('E2.73 the key cannot be moved from the first row', () => {
    expect(names(moveAttribute(opened(), key.uid, 3))).toEqual(['id', 'first', 'second', 'third'])
  })

  it('E4.21 renaming the key attribute renames the primary key', () => {
    expect(draftPrimaryKey(changeAttribute(opened(), key.uid, { name: 'saleId' }))).toBe('saleId')
  })

  it('E4.20 a new name changes the last part of the path', () => {
    expect(draftPath({ ...opened(), name: 'Order' })).toBe('user-defined/Shop/Order')
  })

  it('E3.33 giving another attribute the purpose identifiedBy leaves one key', () => {
    const draft = changeAttribute(opened(), second.uid, { purpose: 'identifiedBy' })
    expect(draft.typeAttributes.filter(isPrimaryKey).map(row => row.name)).toEqual(['second'])
  })

  it('E3.40 a max length goes when the data type is no longer string', () => {
    const draft = changeAttribute(opened(), first.uid, { dataType: 'integer' })
    expect(draft.typeAttributes.find(row => row.uid === first.uid)?.maxLength).toBeNull()
  })

  it('E3.35 E3.41 a request sends isNullable and empty applied traits', () => {
    const [, sent] = draftRequest(changeAttribute(opened(), first.uid, { nullable: true })).entity.typeAttributes
    expect(sent).toMatchObject({ uid: first.uid, isNullable: true, appliedTraits: [] })
    expect(sent).not.toHaveProperty('nullable')
  })

  it('E3.51 E3.57 a request sends relationships in the wire shape', () => {
    const [sent] = draftRequest(opened()).entity.entityAttributes
    expect(sent).toMatchObject({ associatedEntityId: 9, simple: 'true', version: '1.0.0' })
    expect(sent?.foreignKeyAttribute).toEqual({ purpose: 'hasA', dataType: 'integer', typeAttributeName: 'accountId' })
  })

  it('E4.7 knows when scopes alone were changed', () => {
    const scoped = { ...opened(), operationScopes: { ...noScopes, selectOperationScopes: ['read'] } }
    expect(onlyScopesChanged(scoped)).toBe(true)
    expect(onlyScopesChanged({ ...scoped, description: 'x' })).toBe(false)
  })

  it('keeps unsaved edits when a relationship call changes the entity below', () => {
    const edited = addAttribute(removeAttributes(opened(), new Set([third.uid])), { name: 'fourth', dataType: 'float' })
    const renamed = changeAttribute(edited, first.uid, { name: 'primus' })
    const without = answer([key, first, third])
    const rebased = rebase(renamed, without, '"b"')
    expect(names(rebased)).toEqual(['id', 'primus', 'fourth'])
    expect(rebased.etag).toBe('"b"')
    expect(rebase(opened(), without, '"b"').typeAttributes).toHaveLength(3)
  })

  it('takes over what somebody else changed in fields that were not edited here', () => {
    const theirs = {
      ...answer([key, { ...first, maxLength: 80, description: 'theirs' }, second, third]),
      description: 'ours',
    }
    const mine = { ...changeAttribute(opened(), first.uid, { description: 'mine' }), name: 'Order' }
    const rebased = rebase(mine, theirs, '"b"')
    expect(rebased).toMatchObject({ name: 'Order', description: 'ours' })
    expect(rebased.typeAttributes.find(row => row.uid === first.uid)).toMatchObject({
      description: 'mine',
      maxLength: 80,
    })
  })
})
