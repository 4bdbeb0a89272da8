import { Select as Base } from '@base-ui/react/select'
import { visibleText } from '@cadmus/model/display'
import { Check, ChevronsUpDown } from 'lucide-react'
import { Field, type FieldProps } from './Field.tsx'
import { classNames } from './class-names.ts'
import { useUiSettings } from './settings.ts'
import styles from './Select.module.css'

export type SelectProps<V extends string> = FieldProps & {
  options: readonly { value: V; label: string; disabled?: boolean }[]
  value: V | null
  onChange: (value: V) => void
  placeholder?: string
  disabled?: boolean
  /** Looks like text until hovered, for table cells and property rows. */
  inline?: boolean
  mono?: boolean
  /** Opens immediately, in place of the pressed element; called when the list closes, with or without a choice. */
  onClosed?: () => void
}

/** Selects one of a short, fully loaded list. Use SearchSelect for long or remote lists. */
export function Select<V extends string>(props: SelectProps<V>) {
  const { options, value, onChange, placeholder, disabled = false, inline, mono, onClosed, ...field } = props
  const { dropdownHeight } = useUiSettings()
  return (
    <Field {...field}>
      {ids => (
        <Base.Root<V>
          items={options}
          value={value}
          disabled={disabled}
          defaultOpen={onClosed !== undefined}
          onOpenChangeComplete={open => {
            if (!open) onClosed?.()
          }}
          onValueChange={next => {
            if (next !== null) onChange(next)
          }}
        >
          <Base.Trigger
            id={ids.id}
            aria-labelledby={ids.labelId}
            aria-describedby={ids.describedBy}
            aria-required={field.required || undefined}
            aria-invalid={ids.invalid || undefined}
            className={classNames(styles['trigger'], inline && styles['inline'], mono && styles['mono'])}
          >
            <Base.Value placeholder={placeholder ?? ''} className={styles['value']} />
            <ChevronsUpDown size={14} aria-hidden className={styles['chevron']} />
          </Base.Trigger>
          <Base.Portal>
            <Base.Positioner className={styles['positioner']} sideOffset={4} alignItemWithTrigger={false}>
              <Base.Popup className={styles['popup']}>
                <Base.List className={styles['list']} style={{ maxHeight: dropdownHeight }}>
                  {options.map(option => (
                    <Base.Item
                      key={option.value}
                      value={option.value}
                      disabled={option.disabled ?? false}
                      className={styles['item']}
                    >
                      <Base.ItemText className={classNames(styles['text'], mono && styles['mono'])}>
                        {visibleText(option.label)}
                      </Base.ItemText>
                      <Base.ItemIndicator>
                        <Check size={14} aria-hidden />
                      </Base.ItemIndicator>
                    </Base.Item>
                  ))}
                </Base.List>
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </Field>
  )
}
