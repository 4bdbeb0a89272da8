import { Combobox as Base } from '@base-ui/react/combobox'
import { visibleText } from '@cadmus/model/display'
import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import { SearchPopup } from './SearchPopup.tsx'
import { classNames } from './class-names.ts'
import { useOptions, type Option, type OptionSource } from './options.ts'
import { searchFromTrigger } from './search-from-trigger.ts'
import styles from './Select.module.css'

export type SearchMultiSelectProps<T> = FieldProps & {
  source: OptionSource<T>
  value: readonly Option<T>[]
  onChange: (value: Option<T>[]) => void
  placeholder: string
  /** Summary of several selected items in the closed picker, e.g. '3 entities'. */
  several: (count: number) => string
  emptyText?: string
  disabled?: boolean
  /** Called when the list closes. */
  onLeave?: (() => void) | undefined
}

/** Selects several of many options by search. The list stays open until Escape or a click outside. */
export function SearchMultiSelect<T>(props: SearchMultiSelectProps<T>) {
  const {
    source,
    value,
    onChange,
    placeholder,
    several,
    emptyText = 'Nothing found',
    disabled = false,
    onLeave,
    ...field
  } = props
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const results = useOptions(source, search, open)
  const [first] = value
  const text = value.length > 1 ? several(value.length) : (first?.label ?? placeholder)

  return (
    <Field {...field}>
      {ids => (
        <Base.Root<Option<T>, true>
          modal
          multiple
          autoHighlight
          items={results.options}
          filter={null}
          value={[...value]}
          disabled={disabled}
          open={open}
          onOpenChange={next => {
            setOpen(next)
            if (next) return
            setSearch('')
            onLeave?.()
          }}
          inputValue={search}
          onInputValueChange={(next, { reason }) => {
            // Selecting an entry keeps the search text, because the next entry is often nearby.
            if (reason !== 'item-press') setSearch(next)
          }}
          itemToStringLabel={option => option.label}
          isItemEqualToValue={(one, other) => one.value === other.value}
          onValueChange={onChange}
        >
          <Base.Trigger
            id={ids.id}
            aria-labelledby={ids.labelId}
            aria-describedby={ids.describedBy}
            aria-required={field.required || undefined}
            aria-invalid={ids.invalid || undefined}
            onKeyDown={event => {
              if (!disabled) searchFromTrigger(event, { open, search, onOpen: setOpen, onSearch: setSearch })
            }}
            className={styles['trigger']}
          >
            <span
              className={classNames(styles['value'], value.length === 0 && styles['placeholder'])}
              title={value.map(option => visibleText(option.label)).join('\n')}
            >
              {visibleText(text)}
              {value.length === 1 && first?.detail && (
                <span className={styles['detail']}>{visibleText(first.detail)}</span>
              )}
            </span>
            <ChevronsUpDown size={14} aria-hidden className={styles['chevron']} />
          </Base.Trigger>
          <SearchPopup
            label={field.label}
            emptyText={emptyText}
            results={results}
            onLateEnter={option => {
              const others = value.filter(chosen => chosen.value !== option.value)
              onChange(others.length === value.length ? [...value, option] : others)
            }}
          />
        </Base.Root>
      )}
    </Field>
  )
}
