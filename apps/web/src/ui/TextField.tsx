import type { InputHTMLAttributes, Ref } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import { classNames } from './class-names.ts'
import styles from './Field.module.css'

export type TextFieldProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'id'> & {
    value: string
    onChange: (value: string) => void
    /** For identifiers, types, paths and versions. */
    mono?: boolean
    ref?: Ref<HTMLInputElement>
  }

export function TextField(props: TextFieldProps) {
  const { label, hideLabel, hint, reason, error, required, value, onChange, mono, className, ...rest } = props
  return (
    <Field {...{ label, hideLabel, hint, reason, error, required }}>
      {ids => (
        <input
          type="text"
          autoComplete="off"
          spellCheck={false}
          {...rest}
          id={ids.id}
          value={value}
          disabled={rest.disabled || Boolean(reason)}
          required={required}
          aria-invalid={ids.invalid || undefined}
          aria-describedby={ids.describedBy}
          onChange={event => onChange(event.target.value)}
          className={classNames(styles['input'], mono && styles['mono'], className)}
        />
      )}
    </Field>
  )
}
