import { bestMatches } from '@cadmus/model/match-rank'
import { visibleText } from '@cadmus/model/display'
import { useState, type KeyboardEvent } from 'react'
import { Button } from './Button.tsx'
import { initialsOf } from './initials.ts'
import { SearchBox } from './SearchBox.tsx'
import styles from './OrganisationList.module.css'

export type OrganisationListProps = {
  organisations: readonly { code: string; name: string; subscription: number }[]
  current: string | null
  /** Button label without a subscription. */
  unavailable: string
  onSelect: (code: string) => void
}

/** Number of organisations above which a search field is shown. */
const maxVisible = 10

/** A list of organisations in the given order; those without a subscription are disabled. */
export function OrganisationList({ organisations, current, unavailable, onSelect }: OrganisationListProps) {
  const [search, setSearch] = useState('')
  const byName = Map.groupBy(organisations, ({ name }) => name)
  const shown = bestMatches(organisations, ({ name, code }) => [name, code], search).map(
    ({ name, code, subscription }) => ({
      code,
      subscription,
      name: visibleText(name),
      // Names come from the provider and need not be unique.
      distinction: (byName.get(name)?.length ?? 0) > 1 ? visibleText(code) : '',
    }),
  )
  if (organisations.length === 0) return null
  const canScroll = shown.every(({ subscription }) => subscription === 0)
  return (
    <div className={styles['organisations']}>
      {organisations.length > maxVisible && (
        <SearchBox label="Search organisations" value={search} onSearch={setSearch} />
      )}
      {shown.length === 0 && <output>No organisation has this name.</output>}
      <ul
        aria-label="Organisations"
        // Without a focusable child the list itself must be scrollable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={canScroll && shown.length > 0 ? 0 : undefined}
        className={styles['list']}
      >
        {shown.map(({ code, name, distinction, subscription }) => (
          <li key={code}>
            <span className={styles['avatar']} aria-hidden>
              {initialsOf(name)}
            </span>
            <span className={styles['name']}>
              {name}
              {distinction !== '' && <span className={styles['aside']}>{distinction}</span>}
              {code === current && <span className={styles['aside']}>Current</span>}
            </span>
            <Button
              size="dialog"
              disabled={subscription === 0 && unavailable}
              aria-label={[subscription === 0 ? unavailable : 'Select', name, distinction].join(' ').trim()}
              onClick={() => onSelect(code)}
              onKeyDown={moveFocus}
            >
              {subscription === 0 ? unavailable : 'Select'}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Arrow keys, Home and End move between enabled organisations. */
function moveFocus(event: KeyboardEvent<HTMLButtonElement>): void {
  const { currentTarget: button } = event
  const buttons = [
    ...(button.closest('ul')?.querySelectorAll<HTMLButtonElement>('button:not([aria-disabled=true])') ?? []),
  ]
  const at = buttons.indexOf(button)
  const to = { ArrowDown: at + 1, ArrowUp: Math.max(at - 1, 0), Home: 0, End: buttons.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  buttons[to]?.focus()
}
