import { Combobox as Base } from '@base-ui/react/combobox'
import { visibleText } from '@cadmus/model/visible-text'
import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import { SearchPopup } from './SearchPopup.tsx'
import { classNames } from './class-names.ts'
import { useOptions, type Option, type OptionSource } from './options.ts'
import styles from './Select.module.css'

export type SearchSelectProps<T> = FieldProps & {
  source: OptionSource<T>
  value: Option<T> | null
  onChange: (value: Option<T>) => void
  placeholder: string
  emptyText?: string
  disabled?: boolean
  inline?: boolean
  /** Where it may be emptied: a button behind it, and Delete or Backspace on it. */
  onClear?: (() => void) | undefined
}

/** One of many, searched: 300 ms after the last key, 20 at a time, more on scrolling to the bottom. Enter takes the best match. */
export function SearchSelect<T>(props: SearchSelectProps<T>) {
  const {
    source,
    value,
    onChange,
    placeholder,
    emptyText = 'Nothing found',
    disabled = false,
    inline,
    onClear,
    ...field
  } = props
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const found = useOptions(source, search, open)

  function show(next: boolean) {
    setOpen(next)
    if (!next) setSearch('')
  }

  return (
    <Field {...field}>
      {ids => (
        <Base.Root<Option<T>>
          modal
          autoHighlight
          items={found.options}
          filter={null}
          value={value}
          disabled={disabled}
          open={open}
          onOpenChange={show}
          inputValue={search}
          onInputValueChange={setSearch}
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
            aria-invalid={ids.invalid || undefined}
            // Enter on what is chosen already goes on in a wizard; the arrows open it.
            data-filled={value === null ? undefined : ''}
            onKeyDown={event => {
              if (!value || disabled || (event.key !== 'Delete' && event.key !== 'Backspace')) return
              onClear?.()
            }}
            className={classNames(styles['trigger'], inline && styles['inline'])}
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
              {value?.detail && <span className={styles['detail']}>{visibleText(value.detail)}</span>}
            </span>
            <ChevronsUpDown size={14} aria-hidden className={styles['chevron']} />
          </Base.Trigger>
          <SearchPopup
            label={field.label}
            emptyText={emptyText}
            found={found}
            onLateEnter={option => {
              onChange(option)
              show(false)
            }}
          />
        </Base.Root>
      )}
    </Field>
  )
}
