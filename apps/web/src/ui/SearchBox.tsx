import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from './IconButton.tsx'
import { useUiSettings } from './settings.ts'
import styles from './SearchBox.module.css'

export type SearchBoxProps = {
  label: string
  placeholder?: string
  value: string
  /** Called 300 ms after the last key, and immediately for Enter, Escape and the clear button. */
  onSearch: (text: string) => void
  /** ArrowDown moves the focus to the searched content. */
  onDown?: (field: HTMLElement) => void
}

/** A search field with a debounced callback. */
export function SearchBox({ label, placeholder, value, onSearch, onDown }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const [shownValue, setShownValue] = useState(value)
  const { searchDebounce } = useUiSettings()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // Shows a search text that was changed from outside, such as cleared.
  if (value !== shownValue) {
    setShownValue(value)
    if (value !== text.trim()) setText(value)
  }

  function type(next: string, delay: number) {
    setText(next)
    clearTimeout(timer.current)
    if (delay === 0) onSearch(next.trim())
    else timer.current = setTimeout(() => onSearch(next.trim()), delay)
  }

  return (
    <search className={styles['box']}>
      <Search size={14} aria-hidden />
      <input
        type="text"
        aria-label={label}
        placeholder={placeholder ?? label}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={event => type(event.target.value, searchDebounce)}
        onKeyDown={event => {
          if (event.key === 'Enter') type(text, 0)
          if (event.key === 'ArrowDown' && onDown) {
            event.preventDefault()
            onDown(event.currentTarget)
          }
          if (event.key === 'Escape' && text !== '') {
            event.stopPropagation()
            type('', 0)
          }
        }}
      />
      {text !== '' && (
        <IconButton label="Clear search" icon={X} className={styles['clear']} onClick={() => type('', 0)} />
      )}
    </search>
  )
}
