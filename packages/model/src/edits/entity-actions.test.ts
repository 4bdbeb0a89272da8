import { describe, expect, it } from 'vitest'
import { holds } from '@cadmus/testing/holds'
import { relationshipRequest } from '../contract/entity-shapes.ts'
import type { EntityContent } from '../entity.ts'
import {
  aKey,
  aList,
  anEntity,
  anEntityContent,
  aRelationship,
  aTypeAttribute,
  referenceTo,
} from '../testing/builders.ts'
import { isUid, newUid } from '../uid.ts'
import {
  addRelationshipEdits,
  changeRelationshipEdits,
  findRelationship,
  removeParentEdits,
  removeRelationshipEdits,
  setParentEdits,
} from './entity-actions.ts'
import { applyEntityEdits, type EntityEdit, invertEntityEdits } from './entity-edits.ts'

const contact = anEntity({ name: 'Contact', typeAttributes: [aKey({ name: 'contactId' })] })
const keys = [{ name: 'contactId', declaredBy: contact }]
const parent = referenceTo(contact)
const [automatic] = anEntityContent().typeAttributes
const note = aTypeAttribute({ name: 'note' })
const patient = anEntityContent({ name: 'Patient', typeAttributes: aList(automatic!, note) })
const names = ({ typeAttributes }: EntityContent) => typeAttributes.map(({ name }) => name)

/** Applies, undoes and redoes the edits. */
function through(content: EntityContent, edits: EntityEdit[]): EntityContent {
  const done = applyEntityEdits(content, edits)
  const undone = applyEntityEdits(done, invertEntityEdits(content, edits))
  expect(undone).toEqual(content)
  expect(applyEntityEdits(undone, edits)).toEqual(done)
  return done
}

describe('An entity that extends one with a key', () => {
  it('loses its automatic key when it extends an entity with a key, and regains it when it no longer does', () => {
    const extended = through(patient, setParentEdits(patient, { parent, keys }))
    expect([extended.extendsEntity, names(extended)]).toEqual([parent, ['note']])
    const alone = through(extended, removeParentEdits(extended, keys))
    expect([alone.extendsEntity, names(alone)]).toEqual([null, ['id', 'note']])
  })

  it('states the handling of references to the lost key, or to columns no longer inherited, if it was chosen', () => {
    const set = (content: EntityContent) => setParentEdits(content, { parent, keys }, 'keep')
    const change = { kind: 'changeEntity', change: { extendsEntity: parent } }
    expect(set(patient)).toEqual([change, { kind: 'removeAttributes', uids: [automatic!.uid], onReferences: 'keep' }])
    expect(set(anEntityContent({ typeAttributes: [note] }))).toEqual([change])
    const extended = anEntityContent({ extendsEntity: parent, typeAttributes: [note] })
    const removal = { kind: 'changeEntity', change: { extendsEntity: null } }
    expect(removeParentEdits(extended, [])).toEqual([removal])
    expect(removeParentEdits(extended, [], { a: 'remove' })).toEqual([{ ...removal, onReferences: { a: 'remove' } }])
  })

  it('a subtype keeps a key customised by the user, and an attribute that hides the inherited key', () => {
    for (const chosen of [aKey({ name: 'mrn' }), aKey({ description: 'Ours.' }), aKey({ dataType: 'string' })]) {
      const content = anEntityContent({ typeAttributes: [chosen] })
      expect(names(through(content, setParentEdits(content, { parent, keys })))).toEqual([chosen.name])
    }
    const relationship = aRelationship(contact, { position: 1 })
    const related = anEntityContent({ typeAttributes: [automatic!], entityAttributes: [relationship] })
    expect(names(through(related, setParentEdits(related, { parent, keys })))).toEqual(['id'])
  })

  it('a subtype loses inherited attributes in its groups with its parent', () => {
    const inherited = (name: string) => ({ uid: '', name, descending: false })
    const own = { ...inherited('note'), uid: note.uid }
    const group = (uid: string, ...members: (typeof own)[]) => ({ uid, kind: 'index' as const, name: '', members })
    const groups = [group('a', own, inherited('id'), inherited('code')), group('b', own, inherited('code'))]
    const extended = anEntityContent({ extendsEntity: parent, typeAttributes: [note], groups })
    expect(through(extended, removeParentEdits(extended, keys)).groups).toEqual([group('a', own, inherited('id'))])
  })

  it('a subtype gets no automatic key without an inherited key, or if a foreign key has the name', () => {
    const bare = anEntityContent({ extendsEntity: parent, typeAttributes: [note] })
    expect(names(through(bare, removeParentEdits(bare, [])))).toEqual(['note'])
    const entityAttributes = [aRelationship(contact, { foreignKeyTypeAttribute: 'ID', position: 1 })]
    const taken = { ...bare, entityAttributes }
    expect(names(through(taken, removeParentEdits(taken, keys)))).toEqual(['note'])
  })
})

const country = anEntity({ name: 'Country' })
const content = anEntityContent({
  typeAttributes: aList(
    aKey(),
    aTypeAttribute({ name: 'countryId', description: 'Where' }),
    aTypeAttribute({ name: 'title' }),
  ),
})

function request(foreignKey: string, fields: Record<string, unknown> = {}) {
  return relationshipRequest.parse({
    associatedEntityId: country.id,
    associatedEntityName: country.name,
    associatedEntityPath: country.path,
    associatedEntityTypeAttribute: 'id',
    foreignKeyAttribute: { typeAttributeName: foreignKey },
    ...fields,
  })
}

function added(foreignKey: string) {
  const {
    edits,
    item: { uid },
  } = addRelationshipEdits(content, request(foreignKey))
  const after = applyEntityEdits(content, edits)
  return { after, uid, relationship: after.entityAttributes.find(item => item.uid === uid) }
}

describe('adding a relationship', () => {
  it('a new relationship replaces a non-key type attribute of the same name and keeps its uid', holds('E4.26'), () => {
    const { after, uid, relationship } = added('CountryId')
    expect(after.typeAttributes.map(item => item.name)).toEqual(['id', 'title'])
    expect(after.entityAttributes).toHaveLength(1)
    expect(uid).toBe(content.typeAttributes[1]?.uid)
    expect(relationship).toMatchObject({ position: 1, description: 'Where' })
    expect(relationship?.associatedEntity).toMatchObject({ id: country.id, name: 'Country', path: country.path })
  })

  it('a new relationship takes the uid of the request, unless the entity uses it', () => {
    const uid = newUid()
    expect(addRelationshipEdits(content, request('ownerId', { uid })).item.uid).toBe(uid)
    for (const used of [content.uid, content.typeAttributes[0]!.uid, 'mine'])
      expect(addRelationshipEdits(content, request('ownerId', { uid: used })).item.uid).not.toBe(used)
    expect(isUid(addRelationshipEdits(content, request('ownerId', { uid: 'mine' })).item.uid)).toBe(true)
    expect(isUid(addRelationshipEdits(content, request('ownerId')).item.uid)).toBe(true)
  })

  it('a new relationship is inserted by its position', () => {
    const others = [5, 3].map(position => aRelationship(contact, { foreignKeyTypeAttribute: `k${position}`, position }))
    const related = { ...content, entityAttributes: others }
    const { edits, item } = addRelationshipEdits(related, request('ownerId', { position: 4 }))
    expect(item).toMatchObject({ foreignKeyTypeAttribute: 'ownerId', position: 4, description: '' })
    expect(edits).toEqual([{ kind: 'addRelationships', added: [{ item, before: others[0]!.uid }] }])
  })

  it('a new relationship gets the last position if no attribute matches', () => {
    const { after, relationship } = added('ownerId')
    expect(after.typeAttributes).toEqual(content.typeAttributes)
    expect(relationship?.position).toBe(3)
  })
})

describe('an existing relationship', () => {
  const { after: related, uid, relationship } = added('ownerId')

  it('finds a relationship by entity and foreign key', () => {
    expect(findRelationship(related, country.id, 'OWNERID')).toBe(relationship)
    expect(findRelationship(related, country.id, 'countryId')).toBeUndefined()
    expect(findRelationship(related, country.id + 1, 'ownerId')).toBeUndefined()
  })

  it('changing a relationship keeps its position and leaves the rest unchanged', holds('E4.25'), () => {
    const fields = { description: 'Who holds it', onDelete: 'cascade' }
    const other = aRelationship(contact, { position: 9 })
    const both = { ...related, entityAttributes: [...related.entityAttributes, other] }
    const changed = applyEntityEdits(both, changeRelationshipEdits(both, uid, request('holderId', fields)))
    expect(changed).toEqual({
      ...related,
      entityAttributes: [{ ...relationship, foreignKeyTypeAttribute: 'holderId', ...fields }, other],
    })
  })

  it('removes a relationship', () => {
    expect(applyEntityEdits(related, removeRelationshipEdits(uid))).toEqual({ ...content, entityAttributes: [] })
  })
})
