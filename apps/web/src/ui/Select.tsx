import { Select as Base } from '@base-ui/react/select'
import { visibleText } from '@cadmus/model/display'
import { Check, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import { classNames } from './class-names.ts'
import { useOpenPopup } from './open-popups.ts'
import { useUiSettings } from './settings.ts'
import styles from './Select.module.css'

type CommonProps = FieldProps & {
  placeholder?: string
  disabled?: boolean
  /** Looks like text until hovered, for table cells and property rows. */
  inline?: boolean
}

export type SelectProps<V extends string> = CommonProps & {
  options: readonly { value: V; label: string; disabled?: boolean }[]
  value: V | null
  onChange: (value: V) => void
  mono?: boolean
  /** Opens immediately, in place of the pressed element; called when the list closes, with or without a choice. */
  onClosed?: () => void
}

/** Selects one of a short, fully loaded list. Use SearchSelect for long or remote lists. */
export function Select<V extends string>({ value, onChange, onClosed, ...props }: SelectProps<V>) {
  const root = {
    value,
    onOpenChangeComplete: (open: boolean) => {
      if (!open) onClosed?.()
    },
    onValueChange: (next: V | null) => {
      if (next !== null) onChange(next)
    },
  }
  return (
    <Listbox<V, false> {...props} root={root} opensAtOnce={onClosed !== undefined}>
      <Base.Value placeholder={props.placeholder ?? ''} className={styles['value']} />
    </Listbox>
  )
}

export type MultiSelectProps = CommonProps & {
  options: readonly string[]
  value: readonly string[]
  onChange: (value: string[]) => void
  emptyText?: string
  /** Splits pasted text into values, which are added to the selection. */
  parse?: ((text: string) => string[]) | undefined
}

/** Selects several options; shows the first three as chips, then '+N more'. */
export function MultiSelect({ value, onChange, parse, ...props }: MultiSelectProps) {
  const { shownChips } = useUiSettings()
  const { options, placeholder, disabled, reason, emptyText = 'Nothing to choose' } = props
  // A selected value that is no longer offered is shown, so that it can be removed.
  const offered = [...new Set([...options, ...value])].map(option => ({ value: option, label: option }))
  const hidden = value.slice(shownChips).map(item => visibleText(item))
  function paste(text: string) {
    const pasted = disabled || reason ? [] : (parse?.(text) ?? [])
    if (pasted.length > 0) onChange([...new Set([...value, ...pasted])])
  }
  return (
    <Listbox<string, true>
      {...props}
      options={offered}
      emptyText={emptyText}
      root={{ multiple: true, value: [...value], onValueChange: onChange }}
      onPaste={paste}
    >
      <span className={styles['chips']}>
        {value.length === 0 && <span className={styles['placeholder']}>{placeholder}</span>}
        {value.slice(0, shownChips).map(item => (
          <span key={item} className={styles['chip']} title={visibleText(item)}>
            <span className={styles['word']}>{visibleText(item)}</span>
          </span>
        ))}
        {hidden.length > 0 && (
          <span className={styles['chip']} title={hidden.join('\n')}>
            +{hidden.length} more
          </span>
        )}
      </span>
    </Listbox>
  )
}

type ListboxProps<V extends string, Multiple extends boolean> = CommonProps & {
  root: Base.Root.Props<V, Multiple>
  options: readonly { value: V; label: string; disabled?: boolean }[]
  mono?: boolean
  emptyText?: string
  opensAtOnce?: boolean
  onPaste?: (text: string) => void
  /** The value in the closed field. */
  children: ReactNode
}

function Listbox<V extends string, Multiple extends boolean>(props: ListboxProps<V, Multiple>) {
  const { root, options, emptyText, onPaste, children, disabled = false, inline, mono, ...rest } = props
  const { opensAtOnce = false, ...field } = rest
  const [isOpen, setOpen] = useState(opensAtOnce)
  useOpenPopup(isOpen, () => setOpen(false))
  const { dropdownHeight } = useUiSettings()
  return (
    <Field {...field}>
      {ids => (
        <Base.Root<V, Multiple>
          {...root}
          open={isOpen}
          onOpenChange={open => setOpen(open)}
          items={options}
          disabled={disabled || Boolean(field.reason)}
        >
          <Base.Trigger
            id={ids.id}
            aria-labelledby={ids.labelId}
            aria-describedby={ids.describedBy}
            aria-required={field.required || undefined}
            aria-invalid={ids.invalid || undefined}
            onPaste={event => onPaste?.(event.clipboardData.getData('text'))}
            className={classNames(styles['trigger'], inline && styles['inline'], mono && styles['mono'])}
          >
            {children}
            <ChevronsUpDown size={14} aria-hidden className={styles['chevron']} />
          </Base.Trigger>
          <Base.Portal>
            <Base.Positioner className={styles['positioner']} sideOffset={4} alignItemWithTrigger={false}>
              <Base.Popup className={styles['popup']}>
                {options.length === 0 && emptyText && <p className={styles['note']}>{emptyText}</p>}
                <Base.List
                  aria-labelledby={ids.labelId}
                  className={styles['list']}
                  style={{ maxHeight: dropdownHeight }}
                >
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
