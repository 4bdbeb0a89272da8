import { messages } from '@cadmus/model/messages'
import { useEffect, useRef } from 'react'
import type { ApiError } from '../api/error.ts'
import { Alert } from '../ui/Alert.tsx'
import { Button } from '../ui/Button.tsx'
import type { Side } from './open-draft.ts'
import styles from './Draft.module.css'

type Conflict = ApiError['conflicts'][number]
type ConflictAlertProps = {
  conflicts: readonly Conflict[]
  words: (conflict: Conflict) => string
  value: (conflict: Conflict, side: unknown) => string
  /** An additional consequence of the choice. */
  note?: string | undefined
  onKeep: (side: Side) => void
}

/** Shows both values of every conflicting field with author and time of the change, and the choice between them. */
export function ConflictAlert({ conflicts, words, value, note, onKeep }: ConflictAlertProps) {
  const choice = useRef<HTMLDivElement>(null)
  useEffect(() => comeOut(choice.current), [])
  const texts = conflicts.every(({ own }) => own) ? messages.changedInOtherTab : messages.changedByOthers
  return (
    <Alert kind="warning">
      {/* Announces the alert to screen readers because the requested save did not happen. */}
      <p role="alert">{texts.message}</p>
      <table className={styles['conflicts']}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">{texts.mine}</th>
            <th scope="col">{texts.theirs}</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {conflicts.map(conflict => (
            <tr key={`${conflict.path} ${conflict.field}`}>
              <td>{words(conflict)}</td>
              <td>{value(conflict, conflict.mine)}</td>
              <td>{value(conflict, conflict.theirs)}</td>
              <td>
                {conflict.who !== '' && (
                  <>
                    {conflict.own ? messages.youInOtherTab : conflict.who},{' '}
                    <time dateTime={conflict.when}>{new Date(conflict.when).toLocaleString()}</time>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {note !== undefined && <p>{note}</p>}
      <div ref={choice} tabIndex={-1} className={styles['choices']}>
        <Button onClick={() => onKeep('mine')}>{texts.keepMine}</Button>
        <Button onClick={() => onKeep('theirs')}>{texts.takeTheirs}</Button>
      </div>
    </Alert>
  )
}

/** In a narrow window the properties panel overlaps the alert; moving the focus closes it. */
function comeOut(choice: HTMLElement | null): void {
  if (choice === null) return
  choice.scrollIntoView({ block: 'nearest' })
  const { left, top, width, height } = choice.getBoundingClientRect()
  const seen = document.elementFromPoint(left + width / 2, top + height / 2)
  if (!choice.contains(seen)) choice.focus()
}
