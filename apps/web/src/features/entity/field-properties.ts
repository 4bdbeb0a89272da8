import { fieldText, type Editor, type Field } from '@cadmus/model/fields/field'
import { limits } from '@cadmus/model/limits'
import { explain } from '../../commands/glossary.ts'
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
  const head = { id, label: panel.label, hint: explain(panel.label) }
  if (context.locked) return { ...head, editor: 'shown', value: shownText(context.value) }
  return { ...head, ...editorOf(field, context) }
}

type Editing = Property extends infer P ? (P extends Property ? Omit<P, 'id' | 'label'> : never) : never

function editorOf<Item>({ panel, rule }: Field<Item>, context: FieldContext<Item>): Editing {
  const { item, value, apply } = context
  // A text field waits for the change and returns refused input; the others only report it.
  const applyNow = (next: unknown) => void Promise.resolve(apply(next)).catch(() => undefined)
  const editor = panel?.editorFor?.(item) ?? panel?.editor
  switch (editor?.kind) {
    case 'checkbox':
      return { editor: 'checkbox', value: value === true, onApply: applyNow }
    case 'list': {
      const { emptyText, entryRule } = editor
      const list = Array.isArray(value) ? value.map(String) : []
      return { editor: 'list', value: list, emptyText, problem: entryRule, onApply: applyNow }
    }
    case 'select':
      return selectOf(editor, context, applyNow)
    case 'text': {
      const { multiline, parse = (text: string): unknown => text } = editor
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

function selectOf<Item>(
  { none, options, wordsOf }: Extract<Editor<unknown, Item>, { kind: 'select' }>,
  { item, value, options: offered = options(item) }: FieldContext<Item>,
  apply: (value: unknown) => void,
): Editing {
  const noneLabel = typeof none === 'function' ? none(item) : none
  const names = [...(noneLabel === undefined ? [] : [noneLabel]), ...offered]
  // A value that is no longer possible remains visible.
  const present = typeof value === 'string' && !names.includes(value) ? [value] : []
  return {
    editor: 'select',
    mono: true,
    value: fieldText(value ?? noneLabel),
    options: [...names, ...present].map(option => ({ value: option, label: option, words: wordsOf?.(option) ?? [] })),
    onApply: option => apply(option === noneLabel ? null : option),
  }
}

function shownText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return Array.isArray(value) ? value.slice(0, limits.treePageSize).join(', ') : fieldText(value)
}
