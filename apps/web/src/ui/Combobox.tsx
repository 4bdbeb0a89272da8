import { Combobox as Base } from '@base-ui/react/combobox'
import type { BaseUIEvent } from '@base-ui/react/types'
import { visibleText } from '@cadmus/model/display'
import { bestMatches } from '@cadmus/model/match-rank'
import { Check, ChevronsUpDown } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
  type UIEvent,
} from 'react'
import { flushSync } from 'react-dom'
import { Field, type FieldProps } from './Field.tsx'
import { FolderPath } from './FolderPath.tsx'
import { RetryButton } from './RetryButton.tsx'
import { classNames } from './class-names.ts'
import { useOpenPopup } from './open-popups.ts'
import { useOptions, type Option, type Options, type OptionSource } from './options.ts'
import { useUiSettings } from './settings.ts'
import styles from './Select.module.css'

type CommonProps = FieldProps & {
  placeholder?: string
  emptyText?: string | undefined
  disabled?: boolean | undefined
  inline?: boolean | undefined
  mono?: boolean | undefined
  /** Called when the list closes. */
  onLeave?: (() => void) | undefined
}

export type SearchSelectProps<T> = CommonProps & {
  source: OptionSource<T>
  value: Option<T> | null
  onChange: (value: Option<T>) => void
  /** Allows clearing, by Delete and Backspace. */
  onClear?: (() => void) | undefined
}

/**
 * Selects one of many options by search: 300 ms after the last key, 20 at a time, more on scrolling. Enter selects
 * the best match.
 */
export function SearchSelect<T>({ source, value, onChange, ...props }: SearchSelectProps<T>) {
  const search = useSearch(props)
  const results = useOptions(source, search.text, search.isOpen)
  return (
    <Picker
      {...props}
      search={search}
      results={results}
      value={value ? [value] : []}
      onChange={([option]) => option && onChange(option)}
    />
  )
}

export type FilterSelectProps<V extends string> = CommonProps & {
  /** `words`: further search texts in lower case, matched at their beginning; the first match is shown as well. */
  options: readonly { value: V; label: string; words?: readonly string[] }[]
  value: V | null
  onChange: (value: V) => void
  /** The list is loading: Enter selects the best match once it arrives. */
  reading?: boolean
}

/** Selects one of a fully loaded list, filtered by typing. Enter selects the best match. */
export function FilterSelect<V extends string>(props: FilterSelectProps<V>) {
  const { options, value, onChange, reading = false, ...rest } = props
  const search = useSearch(props)
  const all = useMemo(
    () => options.map(({ words = [], ...option }): Found<V> => ({ ...option, words, data: option.value })),
    [options],
  )
  const results = useMemo(
    (): Options<V> => ({
      options: matchingOptions(all, search.text),
      loading: reading,
      pending: reading,
      error: null,
      loadMore: () => undefined,
      retry: () => undefined,
    }),
    [all, search.text, reading],
  )
  return (
    <Picker
      {...rest}
      search={search}
      results={results}
      value={all.filter(option => option.value === value)}
      onChange={([option]) => option && onChange(option.data)}
    />
  )
}

type Found<V> = Option<V> & { words: readonly string[] }

/** Options that contain the text: exact matches first, then prefixes; then those found by their words. */
function matchingOptions<V>(all: readonly Found<V>[], text: string): Option<V>[] {
  const named = bestMatches(all, ({ label }) => [label], text)
  const byWord = all.flatMap(option => {
    const word = option.words.find(one => one.startsWith(text.trim().toLowerCase()))
    return word === undefined || named.includes(option) ? [] : [{ ...option, detail: word }]
  })
  return [...named, ...byWord]
}

export type SearchMultiSelectProps<T> = CommonProps & {
  source: OptionSource<T>
  value: readonly Option<T>[]
  onChange: (value: Option<T>[]) => void
  /** Summary of several selected items in the closed picker, e.g. '3 entities'. */
  several: (count: number) => string
}

/** Selects several of many options by search. The list stays open until Escape or a click outside. */
export function SearchMultiSelect<T>({ source, ...props }: SearchMultiSelectProps<T>) {
  const search = useSearch(props)
  return <Picker {...props} search={search} results={useOptions(source, search.text, search.isOpen)} />
}

type Search = { isOpen: boolean; text: string; show: (open: boolean) => void; type: (text: string) => void }

function useSearch({ onLeave }: { onLeave?: (() => void) | undefined }): Search {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  return {
    isOpen,
    text,
    type: setText,
    show: open => {
      setOpen(open)
      if (open) return
      setText('')
      onLeave?.()
    },
  }
}

type PickerProps<T> = CommonProps & {
  results: Options<T>
  search: Search
  value: readonly Option<T>[]
  onChange: (value: Option<T>[]) => void
  onClear?: (() => void) | undefined
  /** Allows several values. */
  several?: (count: number) => string
}

/** A field that shows its value and opens a list with a search field. */
function Picker<T>(props: PickerProps<T>) {
  const { results, search, value, onChange, onClear, several } = props
  const { placeholder = '', inline, mono, ...field } = props
  const disabled = props.disabled || Boolean(props.reason)
  const input = useRef<HTMLInputElement>(null)
  useOpenPopup(search.isOpen, () => search.show(false))
  const [first] = value
  const folder = value.length === 1 ? first?.detail : undefined

  /** Enter was pressed before the results arrived. */
  function chooseLate(option: Option<T>) {
    const others = value.filter(chosen => chosen.value !== option.value)
    if (!several) onChange([option])
    else onChange(others.length === value.length ? [...value, option] : others)
    if (!several) search.show(false)
  }

  return (
    <Field {...field}>
      {ids => (
        <Base.Root<Option<T>, boolean>
          modal
          autoHighlight
          multiple={several !== undefined}
          items={results.options}
          filter={null}
          value={several ? [...value] : (first ?? null)}
          disabled={disabled}
          open={search.isOpen}
          onOpenChange={search.show}
          inputValue={search.text}
          onInputValueChange={(text, { reason }) => {
            // Selecting an entry keeps the search text, because the next entry is often nearby.
            if (reason !== 'item-press') search.type(text)
          }}
          itemToStringLabel={option => option.label}
          isItemEqualToValue={(one, other) => one.value === other.value}
          onValueChange={next => {
            if (next) onChange(Array.isArray(next) ? next : [next])
          }}
        >
          <Base.Trigger
            id={ids.id}
            aria-labelledby={ids.labelId}
            aria-describedby={ids.describedBy}
            aria-required={field.required || undefined}
            aria-invalid={ids.invalid || undefined}
            onKeyDown={event => {
              if (disabled) return
              if (first && !search.isOpen && (event.key === 'Delete' || event.key === 'Backspace')) onClear?.()
              passToSearch(event, search, input)
            }}
            className={classNames(
              styles['trigger'],
              inline && styles['inline'],
              mono && styles['mono'],
              folder && styles['placed'],
            )}
          >
            <span
              className={classNames(styles['value'], !first && styles['placeholder'])}
              title={value
                .flatMap(({ label, detail }) => (detail && value.length === 1 ? [label, detail] : [label]))
                .map(line => visibleText(line))
                .join('\n')}
            >
              {visibleText(several && value.length > 1 ? several(value.length) : (first?.label ?? placeholder))}
              {folder && <FolderPath folder={folder} className={styles['place']} />}
            </span>
            <ChevronsUpDown size={14} aria-hidden className={styles['chevron']} />
          </Base.Trigger>
          <SearchPopup {...props} input={input} onLateEnter={chooseLate} />
        </Base.Root>
      )}
    </Field>
  )
}

/**
 * Typing on the closed picker opens it and searches. Focuses the search field at once, so that it receives the key
 * and the following ones.
 */
function passToSearch(
  event: BaseUIEvent<KeyboardEvent>,
  search: Search,
  input: RefObject<HTMLInputElement | null>,
): void {
  const { key, ctrlKey, metaKey, altKey } = event
  const hasModifier = ctrlKey || metaKey || altKey
  // Space opens a closed picker, like Enter.
  const isTyped = [...key].length === 1 && !hasModifier && (search.isOpen || key !== ' ')
  if (!isTyped && (!search.isOpen || hasModifier || key === 'Tab')) return
  event.preventBaseUIHandler()
  if (!search.isOpen) flushSync(() => search.show(true))
  input.current?.focus()
  if (isTyped) return
  event.preventDefault()
  // Escape closes the list only, not a surrounding dialog.
  event.stopPropagation()
  input.current?.dispatchEvent(new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}

type SearchPopupProps<T> = Pick<PickerProps<T>, 'label' | 'emptyText' | 'results' | 'mono'> & {
  input: RefObject<HTMLInputElement | null>
  /** Called with the best match if Enter was pressed before the results arrived. */
  onLateEnter: (option: Option<T>) => void
}

/** The open part of a picker: search field, results (20 at a time) and messages. */
function SearchPopup<T>(props: SearchPopupProps<T>) {
  const { label, emptyText = 'Nothing found', results, mono, input, onLateEnter } = props
  const { options, loading, pending, error, loadMore, retry } = results
  const waiting = useRef(false)

  const arrived = useEffectEvent(() => {
    const [best] = options
    if (!waiting.current || pending) return
    waiting.current = false
    if (best) onLateEnter(best)
  })
  useEffect(() => arrived(), [options, pending])

  function key(event: KeyboardEvent) {
    waiting.current = false
    if (event.key !== 'Enter' || !pending) return
    // The highlighted option belongs to an earlier search text.
    event.preventDefault()
    event.stopPropagation()
    waiting.current = true
  }

  function scrolled(event: UIEvent<HTMLElement>) {
    const list = event.currentTarget
    if (list.scrollHeight - list.scrollTop - list.clientHeight < 40) loadMore()
  }

  return (
    <Base.Portal>
      <Base.Positioner className={styles['positioner']} sideOffset={4}>
        <Base.Popup data-picker className={styles['popup']} aria-label={label} onKeyDownCapture={key}>
          <Base.Input ref={input} placeholder="Search" aria-label={`Search ${label}`} className={styles['search']} />
          {/* While busy, the results belong to an earlier search text. */}
          <OptionList label={label} mono={mono} busy={pending} onScroll={scrolled} />
          {/* Escape on an empty list closes the list, not the surrounding dialog. */}
          <Base.Empty />
          <Base.Status className={loading || error || options.length === 0 ? styles['note'] : undefined}>
            {error ?? (loading ? 'Loading' : options.length === 0 ? (results.whyNone ?? emptyText) : null)}
          </Base.Status>
          {error && <RetryButton busy={loading} retry={retry} />}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  )
}

type OptionListProps = {
  label: string
  mono?: boolean | undefined
  busy?: boolean
  onScroll?: (event: UIEvent<HTMLElement>) => void
}

/** The options of a combobox or of an autocomplete. */
export function OptionList({ label, mono, busy, onScroll }: OptionListProps) {
  const { dropdownHeight } = useUiSettings()
  return (
    <Base.List
      aria-label={label}
      aria-busy={busy}
      className={styles['list']}
      style={{ maxHeight: dropdownHeight }}
      onScroll={onScroll}
    >
      {(option: Option) => (
        <Base.Item key={option.value} value={option} className={styles['item']}>
          <span className={classNames(styles['text'], mono && styles['mono'])}>
            {visibleText(option.label)}
            {option.detail && <span className={styles['detail']}>{visibleText(option.detail)}</span>}
          </span>
          <Base.ItemIndicator>
            <Check size={14} aria-hidden />
          </Base.ItemIndicator>
        </Base.Item>
      )}
    </Base.List>
  )
}
