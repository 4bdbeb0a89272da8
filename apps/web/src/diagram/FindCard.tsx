import { viewTexts } from '@cadmus/model/messages/diagram-views'
import { bestMatches } from '@cadmus/model/match-rank'
import { Search, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './Diagram.module.css'

type FindCardProps = {
  names: readonly string[]
  /** Called with each result that Enter goes to. `isMore`: it is added to the choice. */
  onFound: (card: number, isMore: boolean) => void
}

const { find: texts } = viewTexts

/** Finds entities of the diagram by name. Enter goes to the next one, Shift+Enter to the one before, Ctrl+Enter adds one to the choice. */
export function FindCard({ names, onFound }: FindCardProps) {
  const [text, setText] = useState('')
  const [at, setAt] = useState<number | null>(null)
  const search = text.trim()
  const matches = useMemo(
    () => (search === '' ? [] : bestMatches(Array.from(names.keys()), card => [names[card] ?? ''], search)),
    [names, search],
  )

  function go(by: number, isMore = false) {
    const next = at === null ? 0 : (at + by + matches.length) % matches.length
    const card = matches[next]
    if (card === undefined) return
    setAt(next)
    onFound(card, isMore)
  }

  function type(next: string) {
    setText(next)
    setAt(null)
  }

  return (
    <search data-tour="diagram.find" className={styles['find']}>
      <Search size={14} aria-hidden />
      <input
        type="text"
        aria-label={texts.label}
        placeholder={texts.label}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={event => type(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') {
            // The next name replaces this one. Selecting takes the focus, so it comes first.
            event.currentTarget.select()
            go(event.shiftKey ? -1 : 1, event.ctrlKey || event.metaKey)
          }
          if (event.key === 'Escape' && text !== '') {
            event.stopPropagation()
            type('')
          }
        }}
      />
      <output className={styles['results']}>{search === '' ? '' : texts.results(at, matches.length)}</output>
      {text !== '' && <IconButton label="Clear search" icon={X} onClick={() => type('')} />}
    </search>
  )
}
