import { isPlaceholder, secretPlaceholder } from '@cadmus/model/configuration'
import { typedValue } from '@cadmus/model/rules/configuration'
import { useRef } from 'react'
import { Button } from '../../ui/Button.tsx'
import { ShownSetting, TextSetting, type SeenConfiguration } from './settings.tsx'
import styles from './Configuration.module.css'

type SecretTextProps = {
  label: string
  hideLabel?: boolean
  subject: string
  value: string
  locked: boolean
  problem?: string | undefined
  /** Returns the stored configuration. */
  seen: () => SeenConfiguration
  onApply: (value: string, seen: SeenConfiguration) => void
}

/** A secret: never shown; typed text replaces the value stored when typing began. */
export function SecretText({ label, hideLabel = false, subject, value, locked, problem, ...binding }: SecretTextProps) {
  const isStored = isPlaceholder(value)
  const { begin, apply } = useInputBinding(binding)
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
        <Button size="dialog" aria-label={`Remove ${label}`} onClick={() => binding.onApply('', binding.seen())}>
          Remove
        </Button>
      )}
    </div>
  )
}

type Binding = Pick<SecretTextProps, 'seen' | 'onApply'>

/** Binds typed text to the row and the stored configuration of the moment typing began. */
export function useInputBinding(binding: Binding): { begin: () => void; apply: (value: string) => void } {
  const pending = useRef<((value: string) => void) | null>(null)
  const bind = () => {
    const seen = binding.seen()
    return (value: string) => binding.onApply(value, seen)
  }
  return {
    begin: () => {
      pending.current = bind()
    },
    apply: value => (pending.current ?? bind())(value),
  }
}

/** A placeholder if there is a secret. */
export function shownSecret(value: string): string {
  return value === '' ? '' : secretPlaceholder
}
