import { typeAttributeAnswerOf } from '@cadmus/model/apply-request'
import {
  type Column,
  columnsInOrder,
  columnsOf,
  isKey,
  isRelationship,
  isTypeAttribute,
  purposeOf,
} from '@cadmus/model/columns'
import { compareEntities, describeChanges } from '@cadmus/model/compare'
import { canonicalJson, entityForm } from '@cadmus/model/content'
import { readStored } from '@cadmus/model/stored/stored-form'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { OnReferences } from '@cadmus/model/detach'
import {
  applyEntityEdits,
  type EntityEdit,
  entityEditsBetween,
  invertEntityEdits,
} from '@cadmus/model/edits/entity-edits'
import { primaryKeyOf, type EntityContent } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'
import {
  givesKeyUp,
  keysIn,
  mergeEntity,
  mergeTakingTheirs,
  preferNamesOf,
  withFields,
} from '@cadmus/model/merge/entity'
import { defaults } from '@cadmus/model/limits'
import { demoteKey } from '@cadmus/model/one-key'
import { customEntityPath, renamedPath } from '@cadmus/model/paths'
import { shapeFields } from '@cadmus/model/fields/type-attribute'
import { purposes, type Purpose, type TypeAttribute } from '@cadmus/model/type-attribute'
import { Drafts, type Draft } from './draft.ts'
import type { StoredPlace } from './stored-draft.ts'

export type EntityDraft = Draft<EntityAnswer, EntityContent, EntityEdit>

export const entityDrafts = new Drafts<EntityAnswer, EntityContent, EntityEdit>({
  contentOf: ({ content }) => readStored(entityForm, JSON.parse(content)),
  apply: applyEntityEdits,
  invert: invertEntityEdits,
  between: entityEditsBetween,
  compare: (before, after) => {
    const changes = compareEntities(before, after)
    return { count: changes.length, name: () => describeChanges(changes) }
  },
  merge: mergeEntity,
  mergeTakingTheirs,
  withMine,
})

/** Whether only operation scopes changed: allowed even on a locked entity. */
export function onlyScopesChanged({ base, content }: EntityDraft): boolean {
  return entityEditsBetween(base, content).every(({ kind }) => kind === 'changeScopes')
}

/** Whether the draft changes traits or origins, which only administrators may. */
export function changesImportedParts({ base, content }: Pick<EntityDraft, 'base' | 'content'>): boolean {
  const differs = (one: Imported, other: Imported | undefined) =>
    other !== undefined && !(isEqual(one.traits, other.traits) && one.copiedFrom === other.copiedFrom)
  const someDiffers = (now: readonly Imported[], before: readonly Imported[]) => {
    const previous = new Map(before.map(item => [item.uid, item]))
    return now.some(item => differs(item, previous.get(item.uid) ?? { ...item, traits: [] }))
  }
  return (
    differs(content, base) ||
    someDiffers(content.typeAttributes, base.typeAttributes) ||
    someDiffers(content.entityAttributes, base.entityAttributes)
  )
}

/** The edits of a save. Added items lose the traits that only contents may set. */
export function editsToSend({ base, content }: Pick<EntityDraft, 'base' | 'content'>): EntityEdit[] {
  const plain = <T extends { item: object }>(added: readonly T[]) =>
    added.map(one => ({ ...one, item: { ...one.item, traits: [] } }))
  return entityEditsBetween(base, content).map((edit): EntityEdit => {
    if (edit.kind === 'addAttributes') return { ...edit, added: plain(edit.added) }
    return edit.kind === 'addRelationships' ? { ...edit, added: plain(edit.added) } : edit
  })
}

type Imported = Pick<TypeAttribute, 'uid' | 'traits' | 'copiedFrom'>

/** Answers given about references to attributes that the draft removes or no longer inherits, by attribute uid. */
export function referenceAnswers({ done, content }: EntityDraft): Record<string, OnReferences> {
  const uids = new Set([...content.typeAttributes, ...content.entityAttributes].map(({ uid }) => uid))
  const answers = done.flatMap(({ edits }) =>
    edits.flatMap(edit => {
      if (edit.kind === 'changeEntity') return Object.entries(edit.onReferences ?? {})
      if (edit.kind !== 'removeAttributes' || !edit.onReferences) return []
      const { onReferences } = edit
      return edit.uids.filter(uid => !uids.has(uid)).map((uid): [string, OnReferences] => [uid, onReferences])
    }),
  )
  return Object.fromEntries(answers)
}

/** Stands in for a deleted entity, built from a draft. */
export function entityStandIn(id: number, content: EntityContent, place: StoredPlace | undefined): EntityAnswer {
  const { referenceImportPaths: imports, traits: _traits, format: _format, ...fields } = content
  const { path, version, manifest } = place ?? {
    path: customEntityPath(null, content.name),
    version: defaults.version,
    manifest: null,
  }
  return {
    ...fields,
    id,
    path,
    imports,
    typeAttributes: content.typeAttributes.map(item => typeAttributeAnswerOf(item, false)),
    entityAttributes: content.entityAttributes.map(item => ({ ...item, isDefault: false })),
    primaryKey: primaryKeyOf(content),
    isDefault: false,
    targetManifest: manifest,
    content: canonicalJson(content),
    versions: [version],
    latestVersion: version,
    currentVersion: version,
  }
}

export function draftPath({ saved, content }: EntityDraft): string {
  return renamedPath(saved.path, content.name)
}

/** The primary key as edited; a subtype without its own has its parent's. */
export function draftPrimaryKey(draft: EntityDraft): string | null {
  return primaryKeyOf(draft.content) ?? inheritedKey(draft)
}

/** Purposes offered for an attribute. A subtype with an inherited key cannot declare another. */
export function offeredPurposes(draft: EntityDraft, purpose: Purpose): readonly Purpose[] {
  return purposes.filter(other => other !== 'identifiedBy' || other === purpose || inheritedKey(draft) === null)
}

/** Read from the saved state if the draft extends the same entity. */
function inheritedKey({ content, saved }: EntityDraft): string | null {
  if (content.extendsEntity === null || content.extendsEntity.id !== saved.extendsEntity?.id) return null
  const inherited = saved.resolvedAttributes?.find(({ isPrimaryKey: isKey, origin }) => isKey && origin === 'inherited')
  return inherited?.name ?? null
}

/** Order of the sheet: the key first, then by position. */
export function sheetRows({ content }: Pick<EntityDraft, 'content'>): Column[] {
  const columns = columnsInOrder(content)
  return [...columns.filter(isKey), ...columns.filter(row => !isKey(row))]
}

function withMine(
  content: EntityContent,
  { base, content: mine }: { base: EntityContent; content: EntityContent },
  theirs: EntityContent,
): EntityContent {
  const uids = new Set([...content.typeAttributes, ...content.entityAttributes].map(({ uid }) => uid))
  const before = new Map([...base.typeAttributes, ...base.entityAttributes].map(item => [item.uid, item]))
  const removedItems = <T extends { uid: string }>(items: readonly T[]) =>
    items.filter(item => {
      const from = before.get(item.uid)
      // A new position is not an edit.
      return !uids.has(item.uid) && from !== undefined && !isEqual({ ...from, position: 0 }, { ...item, position: 0 })
    })
  const typeAttributes = withMyShapes(content.typeAttributes, { base, mine, theirs })
  const columns = [
    ...typeAttributes,
    ...removedItems(mine.typeAttributes),
    ...content.entityAttributes,
    ...removedItems(mine.entityAttributes),
  ]
  const named = preferNamesOf(columnsOf(mine), withMyKey(columns, { base, mine, theirs }), renamedAs)
  const left = inMyOrder(named, columnsOf(mergeTakingTheirs(base, theirs, mine)))
  // The new parent has a key, and the draft adds another.
  const isMyKey = givesKeyUp(base, theirs) && left.some(isKey)
  return {
    ...content,
    ...(isMyKey ? { extendsEntity: mine.extendsEntity } : {}),
    typeAttributes: left.filter(isTypeAttribute),
    entityAttributes: left.filter(isRelationship),
  }
}

/** Moves refer to columns that others may have removed. */
function inMyOrder(columns: readonly Column[], mine: readonly Column[]): readonly Column[] {
  const places = new Map(mine.map(({ uid, position }) => [uid, position]))
  const placed = columns.map(item => ({ ...item, position: places.get(item.uid) ?? item.position }))
  const order = (items: readonly Column[]) => items.toSorted((a, b) => a.position - b.position).map(({ uid }) => uid)
  return isEqual(order(columns), order(placed)) ? columns : placed
}

function renamedAs(item: Column, own: Column): Column {
  if (isTypeAttribute(item) && isTypeAttribute(own)) return { ...item, name: own.name }
  if (isRelationship(item) && isRelationship(own))
    return { ...item, foreignKeyTypeAttribute: own.foreignKeyTypeAttribute }
  // The other user converted it to another kind.
  return own
}

/** The draft's key wins over the other user's key, own or inherited, which becomes an ordinary column. */
function withMyKey(
  columns: readonly Column[],
  { base, mine, theirs }: { base: EntityContent; mine: EntityContent; theirs: EntityContent },
): readonly Column[] {
  const own = new Map(columnsOf(mine).map(item => [item.uid, item]))
  const maxKeys = givesKeyUp(base, mine) ? 0 : Math.max(1, keysIn(columnsOf(mine)))
  if (keysIn(columns) <= maxKeys) return columns
  return columns.map(item => {
    const ownItem = own.get(item.uid)
    const isTheirs = isKey(item) && !(ownItem && isKey(ownItem))
    return isTheirs ? demoteKey(item, keysIn(columnsOf(theirs)), ownItem && purposeOf(ownItem)) : item
  })
}

/** Takes whole attributes from the draft if merged attributes would be invalid. */
function withMyShapes(
  attributes: readonly TypeAttribute[],
  { base, mine, theirs }: { base: EntityContent; mine: EntityContent; theirs: EntityContent },
): TypeAttribute[] {
  const conflicts = Map.groupBy(mergeEntity(base, mine, theirs).conflicts ?? [], ({ path }) => path)
  const names = new Map(base.typeAttributes.map(item => [item.uid, item.name]))
  const own = new Map(mine.typeAttributes.map(item => [item.uid, item]))
  return attributes.map(item => {
    const [name, from] = [names.get(item.uid), own.get(item.uid)]
    if (name === undefined || from === undefined) return item
    const conflicting = new Set(conflicts.get(`typeAttributes.${name}`)?.map(({ field }) => field))
    return withFields(
      item,
      from,
      shapeFields.filter(field => conflicting.has(field)),
    )
  })
}
