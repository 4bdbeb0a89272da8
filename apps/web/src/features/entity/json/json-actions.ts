import { shapeAt, type JsonPath } from '@cadmus/model/read-content'
import { removeRelationshipEdits } from '@cadmus/model/edits/column-edits'
import { isRecord } from '@cadmus/model/equal'
import { isPrimaryKey } from '@cadmus/model/type-attribute'
import { CircleSlash, Pencil, Plus, Trash2 } from 'lucide-react'
import type { MenuEntry } from '../../../ui/MenuEntries.tsx'
import { newAttribute, newRelationship } from '../entity-commands.ts'
import { entityStore } from '../entity-store.ts'
import type { EntityView } from '../entity-view.ts'
import { keyReason, removeAttributes } from '../remove-attributes.ts'
import { isRemovable, readOnlyReason, valueAt, withoutValue, withValue } from './json-edits.ts'
import type { JsonRow } from './json-rows.ts'
import type { JsonTree } from './use-json-tree.ts'

type Action = Extract<MenuEntry, { kind: 'item' }>

/** Context menu of a row. */
export function rowEntries(row: JsonRow | undefined, tree: JsonTree, view: EntityView): MenuEntry[] {
  if (!row || row.adding) return []
  return [edit(row, tree, view), setNull(row, tree, view), addition(row, tree, view), removal(row, tree, view)].filter(
    entry => entry !== null,
  )
}

/** Handles a key on a row. True if the key has a meaning there, even if the action is blocked. */
export function rowKey(row: JsonRow | undefined, key: string, tree: JsonTree, view: EntityView): boolean {
  if (!row || row.adding) return false
  if (!['F2', 'Delete', 'Insert'].includes(key)) return false
  if (key === 'F2') tree.edit(row)
  const action = key === 'Delete' ? removal(row, tree, view) : key === 'Insert' ? addition(row, tree, view) : null
  if (action && !action.disabled) action.run()
  return true
}

function edit(row: JsonRow, tree: JsonTree, { locked }: EntityView): Action | null {
  if (row.tree.expanded !== null) return null
  const disabled = readOnlyReason(row.path, locked) ?? false
  return { kind: 'item', id: 'edit', label: 'Edit', icon: Pencil, shortcut: 'f2', disabled, run: () => tree.edit(row) }
}

function setNull({ path, value }: JsonRow, tree: JsonTree, { locked, draft: { content } }: EntityView): Action | null {
  const shape = shapeAt(path)
  if (!shape?.nullable || value === null || shape.kind === 'object' || readOnlyReason(path, locked) !== null)
    return null
  const run = () => tree.change(withValue(content, path, null))
  return { kind: 'item', id: 'null', label: 'Set to null', icon: CircleSlash, run }
}

/** Adds to the row if it is a container, else to its parent. */
function addition({ path }: JsonRow, tree: JsonTree, view: EntityView): Action | null {
  const holder = [path, path.slice(0, -1)].find(place => place.length > 0 && takesMore(view, place))
  if (!holder) return null
  const disabled: string | false = readOnlyReason(holder, view.locked) ?? false
  const action = { kind: 'item' as const, id: 'add', icon: Plus, shortcut: 'insert', disabled }
  const [list] = holder
  if (holder.length === 1 && list === 'typeAttributes')
    return { ...action, label: 'Add Attribute', run: () => newAttribute(view) }
  if (holder.length === 1 && list === 'entityAttributes')
    return { ...action, label: 'Add Relationship', run: () => newRelationship(view) }
  const isList = Array.isArray(valueAt(view.draft.content, holder))
  if (isList && shapeAt([...holder, 0])?.kind === 'object')
    return { ...action, label: 'Add Item', disabled: disabled || byText, run: () => tree.add(holder) }
  return { ...action, label: isList ? 'Add Item' : 'Add Key', run: () => tree.add(holder) }
}

const byText = 'Use Edit Source to add this.'

function takesMore({ draft: { content } }: EntityView, place: JsonPath): boolean {
  const value = valueAt(content, place)
  return Array.isArray(value) || (isRecord(value) && shapeAt(place)?.kind === 'any')
}

function removal({ path }: JsonRow, tree: JsonTree, view: EntityView): Action | null {
  const { key, locked, draft } = view
  if (!isRemovable(draft.content, path)) return null
  const action = {
    kind: 'item' as const,
    id: 'delete',
    label: 'Delete',
    icon: Trash2,
    shortcut: 'delete',
    danger: true,
  }
  const disabled = readOnlyReason(path, locked) ?? false
  const [list, index] = path
  const isItem = path.length === 2 && typeof index === 'number'
  const attribute = isItem && list === 'typeAttributes' ? draft.content.typeAttributes[index] : undefined
  if (attribute) {
    const reason = disabled || (isPrimaryKey(attribute) && keyReason)
    return { ...action, disabled: reason, run: () => void removeAttributes(view, [attribute.uid]) }
  }
  const relationship = isItem && list === 'entityAttributes' ? draft.content.entityAttributes[index] : undefined
  if (relationship)
    return { ...action, disabled, run: () => entityStore.edit(key, () => removeRelationshipEdits(relationship.uid)) }
  return { ...action, disabled, run: () => tree.change(withoutValue(draft.content, path)) }
}
