import { hasHidden, visibleText } from '@cadmus/model/display'
import { useEffect, useRef } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import { ConcurrentValue } from './ConcurrentValue.tsx'
import { RefusedText } from './RefusedText.tsx'
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
  const { text, error, refused, concurrent, change, apply, again, takeBack, takesBack } = useInlineText(
    { ...props, hidden },
    input,
  )
  const isTyped = text !== value
  useEffect(() => {
    if (focused) input.current?.focus()
  }, [focused])
  return (
    <Field
      label={label}
      hideLabel={hideLabel ?? false}
      hint={hint}
      error={error ?? (isTyped ? null : (problem ?? null))}
    >
      {ids => (
        <>
          <input
            ref={input}
            id={ids.id}
            type={type}
            value={text}
            disabled={disabled}
            placeholder={placeholder}
            autoComplete={type === 'password' ? 'new-password' : 'off'}
            spellCheck={false}
            title={type !== 'password' && hasHidden(value) ? visibleText(value) : undefined}
            aria-invalid={ids.invalid || undefined}
            aria-describedby={refused ? `${ids.id}-refused` : ids.describedBy}
            data-applied={isTyped ? undefined : ''}
            onChange={event => change(event.target.value)}
            onKeyDown={event => {
              if (event.key === 'Enter') {
                event.preventDefault()
                if (isTyped) void apply(text)
              }
              takesBack(event)
            }}
            onBlur={({ currentTarget, relatedTarget }) => {
              if (isTyped) return void apply(text)
              // The button that restores the refused text must still exist when the pointer is released.
              const { parentElement } = currentTarget
              if (!parentElement?.contains(relatedTarget instanceof Node ? relatedTarget : null)) takeBack()
            }}
            className={classNames(styles['input'], mono && styles['mono'])}
          />
          {concurrent !== null && !hidden && <ConcurrentValue value={concurrent} />}
          {refused && <RefusedText {...refused} id={`${ids.id}-refused`} hidden={hidden} onEdit={again} />}
        </>
      )}
    </Field>
  )
}
