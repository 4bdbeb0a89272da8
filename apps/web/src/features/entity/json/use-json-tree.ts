import { useEffect, useMemo, useState } from 'react'
import { entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { type JsonPath, type JsonShape, shapeAt } from '@cadmus/model/read-content'
import { notify } from '../../../ui/Snackbar.tsx'
import { type TabId, tabIdOf } from '../../../workbench/documents.ts'
import { useWorkbench, workbench } from '../../../workbench/page-workbench.ts'
import type { Selection } from '../../../workbench/workbench.ts'
import { entityStore } from '../../../drafts/entity-store.ts'
import type { EntityView } from '../entity-view.ts'
import type { JsonFieldProps } from './JsonField.tsx'
import {
  type ChangeResult,
  jsonOf,
  readOnlyReason,
  type Typed,
  typedValue,
  validateChange,
  valueAt,
  withAdded,
  withValue,
} from './json-edits.ts'
import { addingId, type JsonRow, jsonRows, rowIdAt } from './json-rows.ts'

const anyShape: JsonShape = { kind: 'any', nullable: false, optional: true, options: [] }

/** The content with a row's edit, not validated yet. */
function contentWithRow(content: EntityContent, { path, adding }: JsonRow, text: string): Typed {
  if (adding && path.at(-1) === '') return withMembers(content, path.slice(0, -1), text)
  const typed = typedValue(text, shapeAt(path) ?? anyShape)
  if ('problem' in typed) return typed
  return { value: adding ? withAdded(content, path, typed.value) : withValue(content, path, typed.value) }
}

/** Parses the members of an object without its braces. */
function withMembers(content: EntityContent, path: JsonRow['path'], text: string): Typed {
  const typed = jsonOf(`{${text}}`)
  if ('problem' in typed) return typed
  return { value: withValue(content, path, { ...Object(valueAt(content, path)), ...Object(typed.value) }) }
}

/** The row being edited; `adding`: the row of the list or object that gets the new value. */
type Editing = { id: string; adding: string | null }
export type JsonTree = ReturnType<typeof useJsonTree>

/** Rows of the content, with folding, selection and editing. */
export function useJsonTree(view: EntityView) {
  const { content } = view.draft
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const [editing, setEditing] = useState<Editing | null>(null)
  const [selected, setSelected] = useState<string | null>(null)
  const rows = useMemo(() => jsonRows(content, unfolded, editing?.adding ?? null), [content, unfolded, editing])
  const byId = useMemo(() => new Map(rows.map(row => [row.tree.id, row])), [rows])
  const tabId = tabIdOf({ kind: 'entity', id: view.entity.id })
  const unfold = (id: string) => setUnfolded(current => new Set(current).add(id))

  useRevealed(tabId, (list, uid) => {
    const listId = rowIdAt(content, [list])
    unfold(listId)
    setSelected(`${listId}\n${uid}`)
  })

  return {
    rows,
    byId,
    editing,
    selected,
    /** Selects the enclosing attribute or relationship for the properties panel. */
    select({ path, tree }: JsonRow) {
      setSelected(tree.id)
      workbench.getState().select(tabId, selectionAt(content, path))
    },
    toggle: (id: string) => setUnfolded(current => toggled(current, id)),
    edit({ path, tree }: JsonRow) {
      const reason = readOnlyReason(path, view.locked)
      if (reason !== null) notify('info', reason)
      else if (tree.expanded === null) setEditing({ id: tree.id, adding: null })
    },
    add(path: JsonPath) {
      const parent = rowIdAt(content, path)
      unfold(parent)
      setEditing({ id: addingId(parent), adding: parent })
    },
    ...editActions(view, id => setEditing(now => (now?.id === id ? null : now))),
  }
}

function toggled(current: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(current)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Validates and applies edits of rows; `close` ends the editing. */
function editActions(view: EntityView, close: (id: string) => void) {
  return {
    change: (next: unknown) => change(view, validateNext(view, next)),
    labelOf: ({ adding, path, tree }: JsonRow) => {
      if (!adding) return `Value of ${tree.label}`
      return path.at(-1) === '' ? 'New key and value, as in "key": "value"' : 'New item'
    },
    fieldOf: (row: JsonRow): Pick<JsonFieldProps, 'shape' | 'validate' | 'onApply' | 'onClose'> => ({
      shape: shapeAt(row.path) ?? anyShape,
      validate: text => problemOf(validateText(view, row, text)),
      onApply: text => change(view, validateText(view, row, text)),
      onClose: () => close(row.tree.id),
    }),
  }
}

/** The last validation: text is checked before it is applied, and again when its field unmounts. */
let last: { content: EntityContent; id: string; text: string; result: ChangeResult } | null = null

function validateText(view: EntityView, row: JsonRow, text: string): ChangeResult {
  const { content } = view.draft
  const { id } = row.tree
  if (last?.content === content && last.id === id && last.text === text) return last.result
  const next = contentWithRow(content, row, text)
  const result = 'problem' in next ? next : validateNext(view, next.value)
  last = { content, id, text, result }
  return result
}

function validateNext({ draft: { content }, entity: { id }, locked }: EntityView, next: unknown): ChangeResult {
  return validateChange(next, { content, id, locked })
}

function problemOf(result: ChangeResult): string | null {
  return 'problem' in result ? result.problem : null
}

function change({ key, draft: { content } }: EntityView, result: ChangeResult): void {
  if ('problem' in result) notify('error', result.problem)
  else entityStore.edit(key, () => entityEditsBetween(content, result.content))
}

const lists = { typeAttributes: 'typeAttribute', entityAttributes: 'entityAttribute' } as const
type ListName = keyof typeof lists

function selectionAt(content: EntityContent, [list, index]: JsonPath): Selection | null {
  if ((list !== 'typeAttributes' && list !== 'entityAttributes') || typeof index !== 'number') return null
  const item = content[list][index]
  return item ? { kind: lists[list], uids: [item.uid] } : null
}

/** Shows a row that was just added. */
function useRevealed(tabId: TabId, show: (list: ListName, uid: string) => void): void {
  const selection = useWorkbench(state => state.selections.get(tabId))
  useEffect(() => {
    const uid = selection?.uids[0]
    if (!selection?.reveal || uid === undefined) return
    show(selection.kind === 'typeAttribute' ? 'typeAttributes' : 'entityAttributes', uid)
    workbench.getState().select(tabId, { kind: selection.kind, uids: selection.uids })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Once per reveal request.
  }, [tabId, selection])
}
