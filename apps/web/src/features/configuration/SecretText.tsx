import { isPlaceholder, secretPlaceholder } from '@cadmus/model/configuration'
import { typedValue } from '@cadmus/model/rules/configuration'
import { useRef } from 'react'
import { Button } from '../../ui/Button.tsx'
import { ShownSetting, TextSetting, type SeenConfiguration } from './settings.tsx'
import styles from './Configuration.module.css'

type SecretTextProps = {
  label: string
  hideLabel?: boolean
  /** Whose secret it is. */
  subject: string
  value: string
  locked: boolean
  problem?: string | undefined
  /** What is stored at this moment. */
  seen: () => SeenConfiguration
  onApply: (value: string, seen: SeenConfiguration) => void
}

/** A secret: what is stored is never shown, what is typed takes the place of that which was stored when the typing began. */
export function SecretText({ label, hideLabel = false, subject, value, locked, problem, ...given }: SecretTextProps) {
  const isStored = isPlaceholder(value)
  const { begin, apply } = useAbove(given)
  if (locked) return <ShownSetting label={label} value={shownSecret(value)} />
  return (
    <div className={styles['row']}>
      <TextSetting
        label={label}
        hideLabel={hideLabel}
        subject={subject}
        type="password"
        locked={false}
        value={isStored ? '' : value}
        placeholder={isStored ? secretPlaceholder : ''}
        problem={problem}
        validate={typed => typedValue(typed) ?? null}
        onBegin={begin}
        onApply={apply}
      />
      {value !== '' && (
        <Button size="dialog" aria-label={`Remove ${label}`} onClick={() => given.onApply('', given.seen())}>
          Remove
        </Button>
      )}
    </div>
  )
}

type Above = Pick<SecretTextProps, 'seen' | 'onApply'>

/** Applies what is typed as it was to be when the typing began: to that row, above what was stored then. */
export function useAbove(given: Above): { begin: () => void; apply: (value: string) => void } {
  const begun = useRef<((value: string) => void) | null>(null)
  const above = () => {
    const seen = given.seen()
    return (value: string) => given.onApply(value, seen)
  }
  return {
    begin: () => {
      begun.current = above()
    },
    apply: value => (begun.current ?? above())(value),
  }
}

/** What is shown in the place of a secret: that there is one. */
export function shownSecret(value: string): string {
  return value === '' ? '' : secretPlaceholder
}
