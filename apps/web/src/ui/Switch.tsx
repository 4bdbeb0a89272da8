import { visibleText } from '@cadmus/model/display'
import { useId, type ReactNode } from 'react'
import styles from './Switch.module.css'

export type SwitchProps = {
  label: string
  /** Label of the off state, shown before the switch. */
  off?: string
  hint?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** Chooses between two states with immediate effect. */
export function Switch({ label, off, hint, checked, disabled = false, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className={styles['switch']} data-disabled={disabled || undefined}>
      {off !== undefined && (
        // For the pointer only: the switch itself announces its state.
        <label htmlFor={id} aria-hidden data-chosen={!checked || undefined}>
          {visibleText(off)}
        </label>
      )}
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={checked}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        disabled={disabled}
        className={styles['track']}
        onClick={() => onChange(!checked)}
      >
        <span className={styles['thumb']} />
      </button>
      <label id={`${id}-label`} htmlFor={id} data-chosen={(off !== undefined && checked) || undefined}>
        {visibleText(label)}
      </label>
      {hint && (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
    </div>
  )
}
