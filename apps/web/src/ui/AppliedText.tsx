import { hasHidden, visibleText } from '@cadmus/model/display'
import { useEffect, useRef } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import { ConcurrentValue, RefusedText } from './InlineNotes.tsx'
import { classNames } from './class-names.ts'
import { useInlineText, type InlineTextValue } from './use-inline-text.ts'
import styles from './Field.module.css'

export type AppliedTextProps = Omit<FieldProps, 'error' | 'required'> &
  InlineTextValue & {
    /** Problem of the stored value; typed text is validated separately. */
    problem?: string | undefined
    type?: 'text' | 'url' | 'password'
    mono?: boolean
    placeholder?: string
    disabled?: boolean
    /** Focuses the field of a row that the user has just added. */
    focused?: boolean
  }

/** A labelled field of a form without its own Save: Enter and blur apply the text, Escape reverts it. */
export function AppliedText(props: AppliedTextProps) {
  const { label, hideLabel, hint, value, problem, type = 'text', mono, placeholder, disabled, focused = false } = props
  const input = useRef<HTMLInputElement>(null)
  const hidden = type === 'password'
  const { text, error, refused, concurrent, again, props: shared } = useInlineText({ ...props, hidden }, input)
  useEffect(() => {
    if (focused) input.current?.focus()
  }, [focused])
  return (
    <Field
      label={label}
      hideLabel={hideLabel ?? false}
      hint={hint}
      error={error ?? (text === value ? (problem ?? null) : null)}
    >
      {ids => (
        <>
          <input
            {...shared}
            ref={input}
            id={ids.id}
            type={type}
            disabled={disabled}
            placeholder={placeholder}
            autoComplete={hidden ? 'new-password' : 'off'}
            title={!hidden && hasHidden(value) ? visibleText(value) : undefined}
            aria-invalid={ids.invalid || undefined}
            aria-describedby={refused ? `${ids.id}-refused` : ids.describedBy}
            className={classNames(styles['input'], mono && styles['mono'])}
          />
          {concurrent !== null && !hidden && <ConcurrentValue value={concurrent} />}
          {refused && <RefusedText {...refused} id={`${ids.id}-refused`} hidden={hidden} onEdit={again} />}
        </>
      )}
    </Field>
  )
}
