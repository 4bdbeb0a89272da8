import { visibleText } from '@cadmus/model/visible-text'
import { Button } from './Button.tsx'
import { initialsOf } from './initials.ts'
import styles from './OrganisationList.module.css'

export type OrganisationListProps = {
  organisations: readonly { code: string; name: string; subscription: number }[]
  current: string | null
  /** What the button says where there is no subscription. */
  unavailable: string
  onSelect: (code: string) => void
}

/** Organisations to choose from, in the order given; those without a subscription cannot be chosen. */
export function OrganisationList({ organisations, current, unavailable, onSelect }: OrganisationListProps) {
  const shown = organisations.map(organisation => ({ ...organisation, name: visibleText(organisation.name) }))
  return (
    <ul className={styles['list']}>
      {shown.map(({ code, name, subscription }) => (
        <li key={code}>
          <span className={styles['avatar']} aria-hidden>
            {initialsOf(name)}
          </span>
          <span className={styles['name']}>
            {name}
            {code === current && <span className={styles['current']}>Current</span>}
          </span>
          <Button
            size="dialog"
            disabled={subscription === 0}
            aria-label={subscription === 0 ? `${name}: ${unavailable}` : `Select ${name}`}
            onClick={() => onSelect(code)}
          >
            {subscription === 0 ? unavailable : 'Select'}
          </Button>
        </li>
      ))}
    </ul>
  )
}
