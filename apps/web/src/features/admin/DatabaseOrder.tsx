import { databaseTypes, type DatabaseType } from '@cadmus/model/database-types'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useId, useState } from 'react'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { databaseLabel } from './labels.ts'
import { reasons } from '../../ui/reasons.ts'
import styles from './Admin.module.css'

export type DatabaseOrderProps = {
  value: readonly DatabaseType[]
  onChange: (value: DatabaseType[]) => void
  error: string | undefined
}

/** The databases of a licence in its order, then all other databases. Exports preselect the first. */
export function DatabaseOrder({ value, onChange, error }: DatabaseOrderProps) {
  const id = useId()
  const [announcement, setAnnouncement] = useState('')
  const others = databaseTypes.filter(type => !value.includes(type))

  function move(type: DatabaseType, step: 1 | -1, pressed: HTMLElement) {
    const from = value.indexOf(type)
    const to = from + step
    if (to < 0 || to >= value.length) return
    onChange(value.toSpliced(from, 1).toSpliced(to, 0, type))
    setAnnouncement(`${databaseLabel(type)} is now at position ${to + 1} of ${value.length}.`)
    // Moving the element in the DOM drops its focus.
    requestAnimationFrame(() => pressed.focus())
  }

  return (
    <fieldset className={styles['databases']} aria-describedby={error === undefined ? `${id}-hint` : `${id}-error`}>
      <legend>Database types</legend>
      {error === undefined ? (
        <p id={`${id}-hint`} className={styles['hint']}>
          Exports and configurations start with the first one.
        </p>
      ) : (
        <p id={`${id}-error`} role="alert" className={styles['error']}>
          {error}
        </p>
      )}
      <ul>
        {[...value, ...others].map(type => {
          const at = value.indexOf(type)
          const label = databaseLabel(type)
          return (
            <li key={type}>
              <Checkbox
                label={label}
                checked={at >= 0}
                onChange={checked => onChange(checked ? [...value, type] : value.filter(other => other !== type))}
              />
              {at === 0 && <span className={styles['default']}>Default</span>}
              <span className={styles['moves']}>
                {at >= 0 && (
                  <>
                    <IconButton
                      label={`Move ${label} up`}
                      icon={ArrowUp}
                      disabled={at === 0 && reasons.first}
                      onClick={event => move(type, -1, event.currentTarget)}
                    />
                    <IconButton
                      label={`Move ${label} down`}
                      icon={ArrowDown}
                      disabled={at === value.length - 1 && reasons.last}
                      onClick={event => move(type, 1, event.currentTarget)}
                    />
                  </>
                )}
              </span>
            </li>
          )
        })}
      </ul>
      <output className="visually-hidden">{announcement}</output>
    </fieldset>
  )
}
