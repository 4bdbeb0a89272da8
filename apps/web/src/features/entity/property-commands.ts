import type { Command } from '../../commands/command.ts'
import type { Property, PropertyGroup } from '../../ui/property.ts'
import { afterDialogs } from '../../workbench/dialogs.ts'
import { workbench } from '../../workbench/page-workbench.ts'

/** Maximum number of options of a field that have a command each. */
const maxOptions = 20

/** Commands for the palette that set the fields of the chosen rows, or go to their editors. */
export function propertyCommands({ title, properties }: PropertyGroup): Command<object>[] {
  return properties.flatMap(property =>
    valuesOf(property).map(({ label, run }) => ({
      id: `chosen.${property.id}.${label}`,
      label,
      detail: title,
      onlySearched: true,
      run,
    })),
  )
}

type Value = { label: string; run: () => void }

function valuesOf(property: Property): Value[] {
  const { label, mixed } = property
  switch (property.editor) {
    case 'shown':
    case 'custom':
      return []
    case 'checkbox':
      return [true, false]
        .filter(value => mixed !== undefined || value !== property.value)
        .map(value => ({ label: `${label}: ${value ? 'Yes' : 'No'}`, run: () => property.onApply(value) }))
    case 'select': {
      const others = property.options.filter(({ value }) => value !== property.value)
      if (others.length > maxOptions) return [toEditor(property)]
      return others.map(option => ({ label: `${label}: ${option.label}`, run: () => property.onApply(option.value) }))
    }
    default:
      return [toEditor(property)]
  }
}

function toEditor({ id, label, editor }: Property): Value {
  const run = () => {
    workbench.getState().set({ propertiesOpen: true })
    afterDialogs(() => {
      // The group of the chosen rows is the first.
      const row = document.querySelector(`[data-region=properties] [data-property="${CSS.escape(id)}"]`)
      const field = row?.querySelector<HTMLElement>('input, textarea, [role=combobox], button')
      field?.focus()
      if (editor === 'list') field?.click()
    })
  }
  return { label: `Edit ${label}`, run }
}
