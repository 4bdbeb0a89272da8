import { Select as Base } from '@base-ui/react/select'
import { visibleText } from '@cadmus/model/display'
import { Check, ChevronsUpDown } from 'lucide-react'
import { Field, type FieldProps } from './Field.tsx'
import { classNames } from './class-names.ts'
import { useUiSettings } from './settings.ts'
import styles from './Select.module.css'

export type MultiSelectProps = FieldProps & {
  options: readonly string[]
  value: readonly string[]
  onChange: (value: string[]) => void
  placeholder?: string
  emptyText?: string
  disabled?: boolean
  inline?: boolean
  /** Splits pasted text into values, which are added to the selection. */
  parse?: ((text: string) => string[]) | undefined
}

/** Selects several options; shows the first three as chips, then '+N more'. */
export function MultiSelect(props: MultiSelectProps) {
  const {
    options,
    value,
    onChange,
    placeholder,
    emptyText = 'Nothing to choose',
    disabled = false,
    inline,
    parse,
    ...field
  } = props
  const { dropdownHeight, shownChips } = useUiSettings()
  // A selected value that is no longer offered is shown, so that it can be removed.
  const offered = [...new Set([...options, ...value])]
  return (
    <Field {...field}>
      {ids => (
        <Base.Root<string, true> multiple value={[...value]} disabled={disabled} onValueChange={onChange}>
          <Base.Trigger
            id={ids.id}
            aria-labelledby={ids.labelId}
            aria-describedby={ids.describedBy}
            aria-required={field.required || undefined}
            onPaste={event => {
              const pasted = disabled ? [] : (parse?.(event.clipboardData.getData('text')) ?? [])
              if (pasted.length > 0) onChange([...new Set([...value, ...pasted])])
            }}
            className={classNames(styles['trigger'], inline && styles['inline'])}
          >
            <Base.Value className={styles['grow']}>
              {() => (
                <span className={styles['chips']}>
                  {value.length === 0 && <span className={styles['placeholder']}>{placeholder}</span>}
                  {value.slice(0, shownChips).map(item => (
                    <span key={item} className={styles['chip']} title={visibleText(item)}>
                      <span className={styles['word']}>{visibleText(item)}</span>
                    </span>
                  ))}
                  {value.length > shownChips && (
                    <span className={styles['chip']} title={linesOf(value.slice(shownChips))}>
                      +{value.length - shownChips} more
                    </span>
                  )}
                </span>
              )}
            </Base.Value>
            <ChevronsUpDown size={14} aria-hidden className={styles['chevron']} />
          </Base.Trigger>
          <Base.Portal>
            <Base.Positioner className={styles['positioner']} sideOffset={4} alignItemWithTrigger={false}>
              <Base.Popup className={styles['popup']}>
                {offered.length === 0 && <p className={styles['note']}>{emptyText}</p>}
                <Base.List
                  aria-labelledby={ids.labelId}
                  className={styles['list']}
                  style={{ maxHeight: dropdownHeight }}
                >
                  {offered.map(option => (
                    <Base.Item key={option} value={option} className={styles['item']}>
                      <Base.ItemText className={styles['text']}>{visibleText(option)}</Base.ItemText>
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

function linesOf(items: readonly string[]): string {
  return items.map(item => visibleText(item)).join('\n')
}
