import { fieldText, type Field } from '@cadmus/model/fields/field'
import { limits } from '@cadmus/model/limits'
import type { Property } from '../../ui/PropertyTable.tsx'

export type FieldContext<Item> = {
  item: Item
  value: unknown
  locked: boolean
  apply: (value: unknown) => void | Promise<void>
  /** In place of those of the descriptor, where they depend on more than the item. */
  options?: readonly string[] | undefined
  rule?: ((text: string) => string | undefined) | undefined
}

/** Returns the property of a field, or null if the panel does not show it for this item. */
export function fieldProperty<Item>(id: string, field: Field<Item>, context: FieldContext<Item>): Property | null {
  const { panel } = field
  if (panel === null || panel.applies?.(context.item) === false) return null
  const head = { id, label: panel.label }
  if (context.locked) return { ...head, editor: 'shown', value: shownText(context.value) }
  return { ...head, ...editorOf(field, context) }
}

type Editing = Property extends infer P ? (P extends Property ? Omit<P, 'id' | 'label'> : never) : never

function editorOf<Item>({ panel, rule }: Field<Item>, context: FieldContext<Item>): Editing {
  const { item, value, apply } = context
  // A text field waits for the change and returns refused input; the others only report it.
  const applyNow = (next: unknown) => void Promise.resolve(apply(next)).catch(() => undefined)
  switch (panel?.editor.kind) {
    case 'checkbox':
      return { editor: 'checkbox', value: value === true, onApply: applyNow }
    case 'list': {
      const { emptyText, entryRule } = panel.editor
      const list = Array.isArray(value) ? value.map(String) : []
      return { editor: 'list', value: list, emptyText, problem: entryRule, onApply: applyNow }
    }
    case 'select': {
      const { none } = panel.editor
      const names = [...(none === undefined ? [] : [none]), ...(context.options ?? panel.editor.options(item))]
      return {
        editor: 'select',
        mono: true,
        value: fieldText(value ?? none),
        options: names.map(option => ({ value: option, label: option })),
        onApply: option => applyNow(option === none ? null : option),
      }
    }
    case 'text': {
      const { multiline, parse = (text: string): unknown => text } = panel.editor
      const judge = context.rule ?? (rule && ((text: string) => rule.check(parse(text), item)))
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

function shownText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return Array.isArray(value) ? value.slice(0, limits.treePageSize).join(', ') : fieldText(value)
}
