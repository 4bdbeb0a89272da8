import { Combobox as Base } from '@base-ui/react/combobox'
import { visibleText } from '@cadmus/model/display'
import { ChevronsUpDown } from 'lucide-react'
import { Field, type FieldProps } from './Field.tsx'
import { FolderPath } from './FolderPath.tsx'
import { SearchPopup } from './SearchPopup.tsx'
import { classNames } from './class-names.ts'
import { searchFromTrigger } from './search-from-trigger.ts'
import type { Option, Options } from './options.ts'
import styles from './Select.module.css'

export type PickerProps<T> = FieldProps & {
  results: Options<T>
  open: boolean
  onOpen: (open: boolean) => void
  search: string
  onSearch: (search: string) => void
  value: Option<T> | null
  onChange: (value: Option<T>) => void
  placeholder: string
  emptyText?: string | undefined
  disabled?: boolean | undefined
  inline?: boolean | undefined
  mono?: boolean | undefined
  /** Allows clearing, by a button and by Delete or Backspace. */
  onClear?: (() => void) | undefined
}

/** A field that shows one value and opens a list with a search field. Enter selects the best match. */
export function Picker<T>(props: PickerProps<T>) {
  const { results, open, onOpen, search, onSearch, value, onChange, placeholder } = props
  const { emptyText = 'Nothing found', disabled = false, inline, mono, onClear } = props
  const { label, hideLabel, hint, error, required, failure } = props
  return (
    <Field {...{ label, hideLabel, hint, error, required, failure }}>
      {ids => (
        <Base.Root<Option<T>>
          modal
          autoHighlight
          items={results.options}
          filter={null}
          value={value}
          disabled={disabled}
          open={open}
          onOpenChange={onOpen}
          inputValue={search}
          onInputValueChange={onSearch}
          itemToStringLabel={option => option.label}
          isItemEqualToValue={(one, other) => one.value === other.value}
          onValueChange={next => {
            if (next) onChange(next)
          }}
        >
          <Base.Trigger
            id={ids.id}
            aria-labelledby={ids.labelId}
            aria-describedby={ids.describedBy}
            aria-required={required || undefined}
            aria-invalid={ids.invalid || undefined}
            onKeyDown={event => {
              if (disabled) return
              if (value && !open && (event.key === 'Delete' || event.key === 'Backspace')) onClear?.()
              searchFromTrigger(event, { open, search, onOpen, onSearch })
            }}
            className={classNames(styles['trigger'], inline && styles['inline'], mono && styles['mono'])}
          >
            <span
              className={classNames(styles['value'], !value && styles['placeholder'])}
              title={
                value
                  ? [value.label, value.detail ?? '']
                      .filter(Boolean)
                      .map(line => visibleText(line))
                      .join('\n')
                  : undefined
              }
            >
              {visibleText(value?.label ?? placeholder)}
              {value?.detail && <FolderPath folder={value.detail} className={styles['place']} />}
            </span>
            <ChevronsUpDown size={14} aria-hidden className={styles['chevron']} />
          </Base.Trigger>
          <SearchPopup
            label={label}
            emptyText={emptyText}
            results={results}
            mono={mono}
            onLateEnter={option => {
              onChange(option)
              onOpen(false)
            }}
          />
        </Base.Root>
      )}
    </Field>
  )
}
