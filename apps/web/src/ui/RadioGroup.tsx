import { Radio } from '@base-ui/react/radio'
import { RadioGroup as Base } from '@base-ui/react/radio-group'
import { useId } from 'react'
import styles from './RadioGroup.module.css'

export type RadioOption<V extends string> = { value: V; label: string; hint?: string; disabled?: boolean }
export type RadioGroupProps<V extends string> = {
  label: string
  hideLabel?: boolean
  options: readonly RadioOption<V>[]
  /** null: nothing selected yet. */
  value: V | null
  onChange: (value: V) => void
}

/** Selects one of a few visible options. */
export function RadioGroup<V extends string>({ label, hideLabel, options, value, onChange }: RadioGroupProps<V>) {
  const id = useId()
  return (
    <Base<V | null>
      value={value}
      onValueChange={next => {
        if (next !== null) onChange(next)
      }}
      aria-labelledby={id}
      className={styles['group']}
    >
      <span id={id} className={hideLabel ? 'visually-hidden' : styles['label']}>
        {label}
      </span>
      {options.map(option => (
        <label key={option.value} className={styles['row']} data-disabled={option.disabled || undefined}>
          <Radio.Root
            value={option.value}
            disabled={option.disabled ?? false}
            aria-labelledby={`${id}-${option.value}`}
            aria-describedby={option.hint ? `${id}-${option.value}-hint` : undefined}
            className={styles['circle']}
          >
            <Radio.Indicator className={styles['dot']} />
          </Radio.Root>
          <span>
            <span id={`${id}-${option.value}`}>{option.label}</span>
            {option.hint && (
              <span id={`${id}-${option.value}-hint`} className={styles['hint']}>
                {option.hint}
              </span>
            )}
          </span>
        </label>
      ))}
    </Base>
  )
}
