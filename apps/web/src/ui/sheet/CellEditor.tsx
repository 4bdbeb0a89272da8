// The list is no native one, because typed text may differ from its options.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/click-events-have-key-events */
import { visibleText } from '@cadmus/model/display'
import { bestMatches } from '@cadmus/model/match-rank'
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { classNames } from '../class-names.ts'
import { holdTyped, pendingAnswers } from '../typed-text.ts'
import { useDebounced } from '../use-debounced.ts'
import styles from './Sheet.module.css'

/** Target of the focus after the text is applied. */
export type After = 'down' | 'up' | 'right' | 'left' | 'fill' | 'stay' | 'leave'

type CellEditorProps = {
  label: string
  text: string
  /** The text was typed over the value. */
  isTyped: boolean
  /** Suggestions; other texts can be typed. */
  options: readonly string[]
  /** Searches suggestions for the text instead. */
  find: ((text: string) => Promise<readonly string[]>) | undefined
  mono: boolean
  /** The text may have several lines: Alt+Enter begins a new one. */
  lines: boolean
  /** The text is a list, separated by commas. */
  isList: boolean
  /** What is typed is taken as it is, unless a suggestion is chosen. */
  isFree: boolean
  invalid: boolean
  onApply: (text: string, after: After) => void
  onCancel: () => void
}

/** The text field in a cell: Enter, Tab and leaving apply the text, Escape reverts it. */
export function CellEditor(props: CellEditorProps) {
  const { label, mono, lines, invalid, onApply, onCancel } = props
  const [text, setText] = useState(props.text)
  const searched = useSearched(props.find, text)
  const { list, choose, ...suggestions } = useSuggestions(
    props.find ? searched : props.options,
    props.isTyped ? text : null,
    props,
  )
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const isDone = useRef(false)
  const isChanged = props.isTyped || text !== props.text

  function apply(after: After) {
    if (isDone.current) return
    isDone.current = true
    onApply(suggestions.chosen === undefined ? text : completed(suggestions.chosen), after)
  }
  function completed(option: string): string {
    if (!props.isList) return option
    // A list that was opened and not typed in gets one more.
    return !isChanged && text !== '' ? `${text}, ${option}` : `${beforeLast(text)}${option}`
  }
  const applyNow = useEffectEvent(() => {
    apply('stay')
    // The text may name something that is looked up first.
    return pendingAnswers()?.then(() => true) ?? true
  })
  const applyLast = useEffectEvent(() => {
    if (isChanged) apply('leave')
  })

  useLayoutEffect(() => {
    const { current } = field
    current?.focus()
    if (props.isTyped) current?.setSelectionRange(current.value.length, current.value.length)
    else current?.select()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- On opening only.
  }, [])
  useEffect(() => (isChanged ? holdTyped(() => applyNow()) : undefined), [isChanged])
  // The view may close without moving the focus, as by a shortcut.
  useEffect(
    () => () => {
      if (!field.current) applyLast()
    },
    [],
  )

  function press(event: KeyboardEvent) {
    const after = afterKey(event)
    const isStep = event.key === 'ArrowDown' || event.key === 'ArrowUp'
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && event.altKey && lines) {
      event.preventDefault()
      document.execCommand('insertText', false, '\n')
    } else if (after) {
      event.preventDefault()
      apply(after)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      isDone.current = true
      onCancel()
    } else if (isStep && suggestions.count > 0) {
      event.preventDefault()
      choose(event.key === 'ArrowDown' ? 1 : -1)
    }
    // Keys of the text are none of the sheet's, except shortcuts.
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation()
  }

  const Field = lines ? 'textarea' : 'input'
  const isOpen = suggestions.count > 0
  return (
    <>
      <Field
        ref={field}
        aria-label={label}
        aria-invalid={invalid || undefined}
        {...(props.find || props.options.length > 0 ? comboboxOf(list, isOpen, suggestions.at) : {})}
        value={text}
        rows={lines ? 1 : undefined}
        autoComplete="off"
        spellCheck={lines}
        className={classNames(styles['editor'], mono && styles['mono'])}
        onChange={event => {
          setText(event.target.value)
          suggestions.filter(event.target.value)
        }}
        onKeyDown={press}
        onBlur={() => apply('leave')}
      />
      {isOpen && (
        <Suggestions
          id={list}
          label={label}
          options={suggestions.options}
          at={suggestions.at}
          field={field}
          onPick={option => {
            isDone.current = true
            onApply(completed(option), 'stay')
          }}
        />
      )}
    </>
  )
}

function comboboxOf(list: string, isOpen: boolean, at: number) {
  return {
    role: 'combobox',
    'aria-autocomplete': 'list' as const,
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? list : undefined,
    'aria-activedescendant': isOpen && at >= 0 ? `${list}-${at}` : undefined,
  }
}

function afterKey({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): After | null {
  if (key === 'Enter' && (ctrlKey || metaKey)) return 'fill'
  if (key === 'Enter' && !altKey) return shiftKey ? 'up' : 'down'
  if (key === 'Tab') return shiftKey ? 'left' : 'right'
  return null
}

/** Suggestions for the text, searched once it is stable for a moment; none after a failed search. */
function useSearched(find: CellEditorProps['find'], text: string): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([])
  const settled = useDebounced(text, 150)
  useEffect(() => {
    let isOver = false
    const show = (all: readonly string[]) => {
      if (!isOver) setNames(all)
    }
    void find?.(settled).then(show, () => show([]))
    return () => {
      isOver = true
    }
  }, [find, settled])
  return names
}

/** The options that match what was typed; all of them before. `at`: the one that is taken, -1 for the text itself. */
function useSuggestions(
  all: readonly string[],
  typed: string | null,
  { isList, isFree }: Pick<CellEditorProps, 'isList' | 'isFree'>,
) {
  const list = useId()
  const searched = (text: string) => (isList ? text.slice(beforeLast(text).length) : text)
  const [{ search, at }, set] = useState(() => ({
    search: typed === null ? null : searched(typed),
    at: typed === null || isFree ? -1 : 0,
  }))
  const options = search === null || search === '' ? all : bestMatches(all, option => [option], search)
  // A text equal to an option abbreviates no other.
  const place = options.some(option => option === search) ? -1 : Math.min(at, options.length - 1)
  return {
    list,
    options,
    count: options.length,
    at: place,
    chosen: options[place],
    // Of a list, an item that is typed may be a new one.
    filter: (text: string) => set({ search: searched(text), at: text === '' || isFree ? -1 : 0 }),
    choose: (step: 1 | -1) => set({ search, at: (place + step + options.length) % options.length }),
  }
}

/** The text up to the last item of a list. */
function beforeLast(text: string): string {
  return /^.*,\s*/s.exec(text)?.[0] ?? ''
}

type SuggestionsProps = {
  id: string
  label: string
  options: readonly string[]
  at: number
  field: { readonly current: HTMLElement | null }
  onPick: (option: string) => void
}

/** Lies over the page, because the sheet would cut it. */
function Suggestions({ id, label, options, at, field, onPick }: SuggestionsProps) {
  const popup = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    const [list, box] = [popup.current, field.current?.closest('td')?.getBoundingClientRect()]
    if (!list || !box) return
    const isBelow = box.bottom + list.offsetHeight + 8 < window.innerHeight
    list.style.left = `${Math.min(box.left, window.innerWidth - list.offsetWidth - 8)}px`
    list.style.top = `${isBelow ? box.bottom + 2 : Math.max(8, box.top - list.offsetHeight - 2)}px`
    list.style.minWidth = `${box.width}px`
  }, [field, options.length])
  useEffect(() => {
    popup.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return createPortal(
    <ul ref={popup} id={id} role="listbox" aria-label={label} className={styles['suggestions']}>
      {options.map((option, index) => (
        <li
          key={option}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          // The field keeps the focus.
          onPointerDown={event => event.preventDefault()}
          onClick={() => onPick(option)}
        >
          {visibleText(option)}
        </li>
      ))}
    </ul>,
    document.body,
  )
}
