import { isEqual } from '@cadmus/model/equal'
import { fieldText, type Editor, type Field } from '@cadmus/model/fields/field'
import { limits } from '@cadmus/model/limits'
import { attributeTexts } from '@cadmus/model/messages/attributes'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { explain } from '../../commands/glossary.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import type { Property } from '../../ui/property.ts'

export type FieldContext<Item> = {
  /** The chosen items, which a change applies to. */
  items: readonly Item[]
  valueOf: (item: Item) => unknown
  locked: boolean
  apply: (value: unknown) => void | Promise<void>
  /** `options` and `rule` override the descriptor if they depend on more than the item. */
  options?: ((item: Item) => readonly string[]) | undefined
  rule?: ((text: string) => string | undefined) | undefined
}

/** The common value of the items that the field applies to; null if it differs. */
type Shared<Item> = FieldContext<Item> & { value: unknown; isMixed: boolean }

/** Returns the property of a field, or null if the panel does not show it for any of the items. */
export function fieldProperty<Item>(id: string, field: Field<Item>, context: FieldContext<Item>): Property | null {
  const { panel } = field
  const items = context.items.filter(item => panel?.applies?.(item) ?? true)
  if (panel === null || items.length === 0) return null
  const [first, ...others] = items.map(context.valueOf)
  const isMixed = others.some(value => !isEqual(value, first))
  const shared = { ...context, items, isMixed, value: isMixed ? null : first }
  const isPartial = items.length < context.items.length
  const part = isPartial ? attributeTexts.several.part(items.length, context.items.length) : undefined
  const hint = [explain(panel.label), part].filter(text => text !== undefined).join(' ') || undefined
  const head = { id, label: panel.label, hint, mixed: isMixed ? attributeTexts.several.values : undefined }
  if (context.locked) {
    const value = isMixed ? attributeTexts.several.values : shownText(first)
    // Only words to choose from are terms.
    return { ...head, editor: 'shown', value, explanation: panel.editor.kind === 'select' ? explain(value) : undefined }
  }
  const editing = editorOf(field, shared)
  return { ...head, ...editing, beside: isMixed && clearButton(panel.label, editing) }
}

type Editing = Property extends infer P ? (P extends Property ? Omit<P, 'id' | 'label'> : never) : never
type Select<Item> = Extract<Editor<unknown, Item>, { kind: 'select' }>

function editorOf<Item>({ panel, rule }: Field<Item>, shared: Shared<Item>): Editing {
  const { items, value, apply } = shared
  // A text field waits for the change and returns refused input; the others only report it.
  const applyNow = (next: unknown) => void Promise.resolve(apply(next)).catch(() => undefined)
  const editors = items.map(item => panel?.editorFor?.(item) ?? panel?.editor)
  const selects = editors.flatMap(each => (each?.kind === 'select' ? [each] : []))
  if (selects.length === items.length) return selectOf(selects, shared, applyNow)
  // Items with different editors have the general one.
  const editor = selects.length > 0 ? panel?.editor : editors[0]
  switch (editor?.kind) {
    case 'checkbox':
      return { editor: 'checkbox', value: value === true, onApply: applyNow }
    case 'list': {
      const { emptyText, entryRule } = editor
      const list = Array.isArray(value) ? value.map(String) : []
      return { editor: 'list', value: list, emptyText, problem: entryRule, onApply: applyNow }
    }
    case 'text': {
      const { multiline, parse = (text: string): unknown => text } = editor
      // A value that only some of the items refuse is applied to the others.
      const refusedByAll = (text: string) => {
        const problems = items.map(item => rule?.check(parse(text), item))
        return problems.every(problem => problem !== undefined) ? problems[0] : undefined
      }
      const judge = shared.rule ?? (rule && refusedByAll)
      return {
        editor: 'text',
        value: fieldText(value),
        ...(multiline ? { multiline } : {}),
        ...(judge ? { validate: text => judge(text) ?? null } : {}),
        onApply: text => apply(parse(text)),
      }
    }
    default:
      return { editor: 'shown', value: shownText(value) }
  }
}

/** Offers what any of the items can have. */
function selectOf<Item>(
  selects: readonly Select<Item>[],
  { items, value, isMixed, options }: Shared<Item>,
  apply: (value: unknown) => void,
): Editing {
  const each = items.flatMap((item, at) => {
    const { none, options: ofField, wordsOf } = selects[at] ?? { options: () => [] }
    return { none: typeof none === 'function' ? none(item) : none, wordsOf, names: options?.(item) ?? ofField(item) }
  })
  const labels = new Set(each.flatMap(({ none }) => none ?? []))
  const none = labels.size > 1 ? attributeTexts.several.none : [...labels][0]
  const names = new Set([...(none === undefined ? [] : [none]), ...each.flatMap(one => one.names)])
  // A value that is no longer possible remains visible.
  if (typeof value === 'string') names.add(value)
  const wordsOf = each[0]?.wordsOf
  return {
    editor: 'select',
    mono: true,
    value: isMixed ? null : fieldText(value ?? none),
    options: [...names].map(option => ({ value: option, label: option, words: wordsOf?.(option) ?? [] })),
    onApply: option => apply(option === none ? null : option),
  }
}

/** Empties a field whose values differ; an empty input would not be a change. */
function clearButton(label: string, editing: Editing): ReactNode {
  const canClear = editing.editor === 'list' || (editing.editor === 'text' && (editing.validate?.('') ?? null) === null)
  if (!canClear) return undefined
  const clear = () => void (editing.editor === 'list' ? editing.onApply([]) : editing.onApply(''))
  return <IconButton label={`Clear ${label}`} icon={X} onClick={clear} />
}

export function shownText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return Array.isArray(value) ? value.slice(0, limits.treePageSize).join(', ') : fieldText(value)
}
