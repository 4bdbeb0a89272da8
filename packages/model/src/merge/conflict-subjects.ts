import type { EntityContent } from '../entity.ts'
import { isEqual, isRecord } from '../equal.ts'
import { foldName } from '../paths.ts'
import { isSameTarget } from '../references.ts'
import { type Column, columnsOf, isKey, isRelationship } from '../columns.ts'
import { type Conflict, isSameReference, labelOf } from './items.ts'

export type IndexedState = { content: EntityContent; columns: ReadonlyMap<string, Column> }

/** Whether the subject of a conflict is equal in two states; undefined: the entity did not exist. */
type SubjectComparison = (one: IndexedState | undefined, other: IndexedState | undefined) => boolean

export function indexedState(content: EntityContent): IndexedState {
  return { content, columns: new Map(columnsOf(content).map(item => [item.uid, item])) }
}

type Sides = { base: IndexedState; mine: IndexedState; theirs: IndexedState }

/**
 * The subject of each conflict of a merge, by uid: a path contains the column's name in the base, which may belong to another column by
 * now.
 */
export function conflictSubjects(conflicts: readonly Conflict[], sides: Sides): SubjectComparison[] {
  const named = uidsByPath(sides)
  return conflicts.map(conflict => sameBy(readerOf(conflict, sides, named)))
}

type Read = (state: IndexedState) => unknown

function sameBy(read: Read): SubjectComparison {
  return (one, other) => {
    if (!one || !other) return one === other
    const [a, b] = [read(one), read(other)]
    return isEqual(a, b) || isSameReference(a, b)
  }
}

function readerOf(conflict: Conflict, sides: Sides, named: ReadonlyMap<string, readonly string[]>): Read {
  const { path, field, theirs } = conflict
  if (path === '' && field === 'order') return orderOf(sides)
  if (path === '' && field === 'primaryKey') return ({ columns }) => [...columns.values()].filter(isKey).map(uidOf)
  if (path === '') return ({ content }) => valueOf(content, field)
  if (path === 'operationScopes') return ({ content }) => valueOf(content.operationScopes, field)
  // In a name conflict the two sides are different columns.
  if (field === 'name' && isRecord(theirs)) {
    const uid = String(theirs.uid)
    return ({ columns }) => foldName(labelOf(columns.get(uid)))
  }
  const uid = uidIn(conflict, sides, named.get(path) ?? [])
  if (field === 'deleted') return ({ columns }) => withoutPlace(columns.get(uid))
  if (field === 'associatedEntityTypeAttribute') return targetOf(uid, sides)
  return ({ columns }) => valueOf(columns.get(uid), field)
}

/** Among columns of the same name, the one in which both sides have the values of the conflict. */
function uidIn({ field, mine, theirs }: Conflict, sides: Sides, uids: readonly string[]): string {
  const hasBothValues = (uid: string) =>
    isEqual(valueOf(sides.mine.columns.get(uid), field), mine) &&
    isEqual(valueOf(sides.theirs.columns.get(uid), field), theirs)
  return (uids.length > 1 ? uids.find(hasBothValues) : undefined) ?? uids[0] ?? ''
}

/** Uids of the columns with the name in a conflict's path: in the base, or added by a side. */
function uidsByPath({ base, mine }: Sides): ReadonlyMap<string, readonly string[]> {
  const added = [...mine.columns.values()].filter(({ uid }) => !base.columns.has(uid))
  const all = [...base.columns.values(), ...added]
  const grouped = Map.groupBy(
    all,
    item => `${isRelationship(item) ? 'entityAttributes' : 'typeAttributes'}.${labelOf(item)}`,
  )
  return new Map([...grouped].map(([path, items]) => [path, items.map(uidOf)]))
}

/** The order of items that exist in the base and still do; additions and removals do not change it. */
function orderOf({ base, theirs }: Sides): Read {
  return ({ columns }) =>
    [...columns.values()]
      .filter(({ uid }) => base.columns.has(uid) && theirs.columns.has(uid))
      .toSorted((a, b) => a.position - b.position)
      .map(uidOf)
}

/** Name and uid of the target attribute are one field; a renamed target is the same. */
function targetOf(uid: string, { theirs }: Sides): Read {
  const last = theirs.columns.get(uid)
  return ({ columns }) => {
    const item = columns.get(uid)
    if (!item || !isRelationship(item)) return undefined
    if (last && isRelationship(last) && isSameTarget(item, last)) return last.associatedEntityTypeAttribute
    return item.associatedEntityTypeAttributeUid ?? item.associatedEntityTypeAttribute
  }
}

function withoutPlace(item: Column | undefined): unknown {
  return item && { ...item, position: 0 }
}

function uidOf({ uid }: Column): string {
  return uid
}

function valueOf(record: object | undefined, field: string): unknown {
  return record && Reflect.get(record, field)
}
