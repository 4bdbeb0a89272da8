import { Combobox as Base } from '@base-ui/react/combobox'
import { Check, ChevronsUpDown } from 'lucide-react'
import { useState, type UIEvent } from 'react'
import { Button } from './Button.tsx'
import { Field, type FieldProps } from './Field.tsx'
import { classNames } from './class-names.ts'
import { useOptions, type Option, type OptionSource } from './options.ts'
import { useUiSettings } from './settings.ts'
import styles from './Select.module.css'

export type SearchSelectProps<T> = FieldProps & {
  source: OptionSource<T>
  value: Option<T> | null
  onChange: (value: Option<T>) => void
  placeholder: string
  emptyText?: string
  disabled?: boolean
  inline?: boolean
}

/** One of many, searched: 300 ms after the last key, 20 at a time, more on scrolling to the bottom. */
export function SearchSelect<T>(props: SearchSelectProps<T>) {
  const {
    source,
    value,
    onChange,
    placeholder,
    emptyText = 'Nothing found',
    disabled = false,
    inline,
    ...field
  } = props
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const { dropdownHeight } = useUiSettings()
  const { options, loading, error, loadMore, retry } = useOptions(source, search, open)

  function scrolled(event: UIEvent<HTMLElement>) {
    const list = event.currentTarget
    if (list.scrollHeight - list.scrollTop - list.clientHeight < 40) loadMore()
  }

  return (
    <Field {...field}>
      {ids => (
        <Base.Root<Option<T>>
          modal
          items={options}
          filter={null}
          value={value}
          disabled={disabled}
          open={open}
          onOpenChange={next => {
            setOpen(next)
            if (!next) setSearch('')
          }}
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
            className={classNames(styles['trigger'], inline && styles['inline'])}
          >
            <span className={classNames(styles['value'], !value && styles['placeholder'])}>
              {value?.label ?? placeholder}
            </span>
            <ChevronsUpDown size={14} aria-hidden className={styles['chevron']} />
          </Base.Trigger>
          <Base.Portal>
            <Base.Positioner className={styles['positioner']} sideOffset={4}>
              <Base.Popup className={styles['popup']} aria-label={field.label}>
                <Base.Input placeholder="Search" aria-label={`Search ${field.label}`} className={styles['search']} />
                <Base.List
                  aria-label={field.label}
                  className={styles['list']}
                  style={{ maxHeight: dropdownHeight }}
                  onScroll={scrolled}
                >
                  {(option: Option<T>) => (
                    <Base.Item key={option.value} value={option} className={styles['item']}>
                      <span className={styles['text']}>
                        {option.label}
                        {option.detail && <span className={styles['detail']}>{option.detail}</span>}
                      </span>
                      <Base.ItemIndicator>
                        <Check size={14} aria-hidden />
                      </Base.ItemIndicator>
                    </Base.Item>
                  )}
                </Base.List>
                {/* With it, Escape on an empty list closes the list and not the dialog around it. */}
                <Base.Empty />
                <Base.Status className={loading || error || options.length === 0 ? styles['note'] : undefined}>
                  {error ?? (loading ? 'Loading' : options.length === 0 ? emptyText : null)}
                </Base.Status>
                {error && <Button onClick={retry}>Retry</Button>}
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </Field>
  )
}
