import type { JsonShape } from '@cadmus/model/read-content'
import { useEffect, useRef, type FocusEvent, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { classNames } from '../../../ui/class-names.ts'
import { RefusedText } from '../../../ui/InlineNotes.tsx'
import { Select } from '../../../ui/Select.tsx'
import { useInlineText } from '../../../ui/use-inline-text.ts'
import { fieldText } from './json-edits.ts'
import styles from './JsonTab.module.css'

export type JsonFieldProps = {
  label: string
  value: unknown
  shape: JsonShape
  /** Reason why the text is invalid; null if it is valid. */
  validate: (text: string) => string | null
  onApply: (text: string) => void
  onClose: () => void
}

/** Inline editor of a value: Enter applies, Escape cancels, leaving the field applies a change. */
export function JsonField(props: JsonFieldProps) {
  const { kind } = props.shape
  return kind === 'choice' || kind === 'boolean' ? <ChoiceField {...props} /> : <TextField {...props} />
}

/** Milliseconds in which the menu that opened the field may return the focus to a row. */
const menuCloseDelay = 600

function TextField({ label, value, shape, validate, onApply, onClose }: JsonFieldProps) {
  const input = useRef<HTMLTextAreaElement>(null)
  const shownAt = useRef(0)
  const isLeft = useRef(false)
  const before = value === undefined ? '' : fieldText(value, shape)
  const close = () => {
    const row = input.current?.closest<HTMLElement>('[role=treeitem]')
    isLeft.current = true
    // Keep the focus if it has moved elsewhere.
    if (row?.contains(document.activeElement)) row.focus({ preventScroll: true })
    onClose()
  }
  const take = (text: string) => {
    onApply(text)
    close()
  }
  const field = useInlineText({ label, value: before, validate, onApply: take }, input)
  const { text, error, refused, apply, again, takeBack, takesBack } = field
  const isTyped = text !== before

  useEffect(() => {
    shownAt.current = performance.now()
    isLeft.current = false
    input.current?.focus({ preventScroll: true })
    input.current?.select()
  }, [])

  function key(event: KeyboardEvent) {
    if (event.key === 'Enter' && !(shape.kind === 'text' && event.shiftKey)) {
      event.preventDefault()
      if (isTyped) void apply(text)
      else close()
    }
    if (refused && takesBack(event)) return
    if (event.key !== 'Escape') return
    event.stopPropagation()
    // Must run before the field unmounts, which would apply its text.
    flushSync(takeBack)
    close()
  }

  function blur({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) {
    if (isLeft.current) return
    const next = relatedTarget instanceof HTMLElement ? relatedTarget : null
    if (currentTarget.contains(next)) return
    const isJustShown = performance.now() - shownAt.current < menuCloseDelay
    if (isJustShown && next?.matches('[role=treeitem]')) input.current?.focus()
    else if (isTyped) void apply(text)
    else onClose()
  }

  return (
    <span className={styles['field']} onBlur={blur} {...own}>
      <span className={styles['over']}>
        <textarea
          {...field.props}
          ref={input}
          rows={1}
          aria-label={label}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || refused ? 'json-field-error' : undefined}
          onKeyDown={key}
          onBlur={undefined}
          className={classNames('mono', styles['input'])}
        />
        {error && (
          <span id="json-field-error" role="alert" className={styles['error']}>
            {error}
          </span>
        )}
        {refused && <RefusedText {...refused} id="json-field-error" onEdit={again} />}
      </span>
    </span>
  )
}

function ChoiceField({ label, value, shape, validate, onApply, onClose }: JsonFieldProps) {
  const choices = shape.kind === 'boolean' ? ['true', 'false'] : shape.options.map(option => JSON.stringify(option))
  const options = [...choices, ...(shape.nullable ? ['null'] : [])].map(option => {
    const problem = validate(option)
    return { value: option, label: option, disabled: problem !== null && option !== JSON.stringify(value) }
  })
  const holder = useRef<HTMLSpanElement>(null)
  const close = () => {
    holder.current?.closest<HTMLElement>('[role=treeitem]')?.focus({ preventScroll: true })
    onClose()
  }
  return (
    <span ref={holder} className={styles['choice']} {...own}>
      <Select
        label={label}
        hideLabel
        inline
        mono
        options={options}
        value={JSON.stringify(value)}
        onChange={onApply}
        onClosed={close}
      />
    </span>
  )
}

const stop = (event: { stopPropagation: () => void }) => event.stopPropagation()
/** Keeps clicks inside the field from reaching its row. */
const own = { onClick: stop, onDoubleClick: stop }
