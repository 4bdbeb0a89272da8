import type { Ref, TextareaHTMLAttributes } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import { classNames } from './class-names.ts'
import styles from './Field.module.css'

export type TextAreaProps = FieldProps &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value' | 'id'> & {
    value: string
    onChange: (value: string) => void
    mono?: boolean
    ref?: Ref<HTMLTextAreaElement>
  }

export function TextArea(props: TextAreaProps) {
  const { label, hideLabel, hint, reason, error, required, value, onChange, mono, className, ...rest } = props
  return (
    <Field {...{ label, hideLabel, hint, reason, error, required }}>
      {ids => (
        <textarea
          rows={4}
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
