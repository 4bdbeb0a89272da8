import { Braces, CircleSlash, Pencil, Plus, Save, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import { formatCount, visibleText } from '@cadmus/model/display'
import { removeRelationshipEdits } from '@cadmus/model/edits/entity-actions'
import { isRecord } from '@cadmus/model/equal'
import { type JsonPath, shapeAt } from '@cadmus/model/read-content'
import { isPrimaryKey } from '@cadmus/model/type-attribute'
import { type Command, pressCommand, whyDisabled } from '../../../commands/command.ts'
import { useCommands } from '../../../commands/use-commands.ts'
import { isSaving } from '../../../drafts/open-draft.ts'
import { Button } from '../../../ui/Button.tsx'
import type { MenuEntry } from '../../../ui/MenuEntries.tsx'
import { Tree } from '../../../ui/Tree.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { openDialog } from '../../../workbench/dialogs.ts'
import { editSourceDialog } from '../dialogs.ts'
import { type EntityContext, newAttribute, newRelationship, saveCommand } from '../entity-commands.ts'
import { entityStore } from '../../../drafts/entity-store.ts'
import type { EntityView } from '../entity-view.ts'
import { keyReason, removeColumns } from '../remove-columns.ts'
import { JsonField } from './JsonField.tsx'
import styles from './JsonTab.module.css'
import { isRemovable, readOnlyReason, valueAt, withoutValue, withValue } from './json-edits.ts'
import { type JsonRow, sizeOf } from './json-rows.ts'
import { type JsonTree, useJsonTree } from './use-json-tree.ts'

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
    return { ...action, disabled: reason, run: () => void removeColumns(view, [attribute.uid]) }
  }
  const relationship = isItem && list === 'entityAttributes' ? draft.content.entityAttributes[index] : undefined
  if (relationship)
    return { ...action, disabled, run: () => entityStore.edit(key, () => removeRelationshipEdits(relationship.uid)) }
  return { ...action, disabled, run: () => tree.change(withoutValue(draft.content, path)) }
}

/** Characters of a text shown in a row. */
const maxShownLength = 300
/** Characters that fit in a row at any depth. */
const shortLength = 40

/** A value in its row: texts quoted as in JSON, lists and objects by size. */
export function JsonValue({ value, readOnly }: { value: unknown; readOnly: boolean }) {
  const size = sizeOf(value)
  if (size !== null) return <span className={styles['size']}>{sizeText(value, size)}</span>
  const isCut = typeof value === 'string' && value.length > maxShownLength
  const json = JSON.stringify(isCut ? `${value.slice(0, maxShownLength)}…` : value)
  const whole = visibleText(typeof value === 'string' ? value : json, { lines: true })
  const kind = value === null ? 'null' : typeof value
  return (
    <>
      <span className={styles['colon']}>: </span>
      <span
        className={classNames('mono', styles['value'], styles[kind], readOnly && styles['kept'])}
        title={json.length > shortLength ? whole : undefined}
      >
        {visibleText(json)}
      </span>
      {readOnly && <span className="visually-hidden"> read-only</span>}
    </>
  )
}

function sizeText(value: unknown, size: number): string {
  const [one, many] = Array.isArray(value) ? ['item', 'items'] : ['key', 'keys']
  return `${formatCount(size)} ${size === 1 ? one : many}`
}

/** Edits the draft as text; Apply is one step of the draft. */
export const editSourceCommand: Command<EntityContext> = {
  id: 'entity.editSource',
  label: 'Edit Source',
  icon: Braces,
  run: ({ view }) => {
    // Read now: Save and commands apply typed text before they run.
    const draft = entityStore.get(view.key)?.draft
    if (draft) openDialog(editSourceDialog, { at: view.key, draft, locked: view.locked })
  },
}

const commands = [editSourceCommand]

export function JsonTab({ context }: { context: EntityContext }) {
  const { view } = context
  const { draft, locked, open } = view
  useCommands(commands, context)
  const tree = useJsonTree(view)
  const { rows, byId, editing } = tree
  const shown = useMemo(
    () =>
      rows.map(({ path, tree: row }) => {
        const reason = readOnlyReason(path, locked)
        return reason === null ? row : { ...row, title: reason }
      }),
    [rows, locked],
  )

  return (
    <div className={styles['tab']}>
      <div className={styles['bar']}>
        <Button icon={Braces} onClick={() => pressCommand(editSourceCommand, context)}>
          Edit Source
        </Button>
        <Button
          icon={Save}
          busy={isSaving(open)}
          disabled={whyDisabled(saveCommand, context)}
          onClick={() => pressCommand(saveCommand, context)}
        >
          Save
        </Button>
      </div>
      <Tree
        label={`Content of ${visibleText(draft.content.name)}`}
        rows={shown}
        selected={tree.selected}
        onToggle={tree.toggle}
        onOpen={(id, keep) => {
          const row = byId.get(id)
          if (!row) return
          tree.select(row)
          if (!keep) return
          if (row.tree.expanded === null) tree.edit(row)
          else tree.toggle(id)
        }}
        onMore={tree.toggle}
        onKey={(id, event) => rowKey(byId.get(id), event.key, tree, view)}
        entriesFor={id => rowEntries(byId.get(id), tree, view)}
        after={id => {
          const row = byId.get(id)
          if (!row) return null
          if (editing?.id !== id)
            return <JsonValue value={row.value} readOnly={readOnlyReason(row.path, locked) !== null} />
          return <JsonField key={id} label={tree.labelOf(row)} value={row.value} {...tree.fieldOf(row)} />
        }}
      />
    </div>
  )
}
