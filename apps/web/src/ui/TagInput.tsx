import { visibleText } from '@cadmus/model/display'
import { X } from 'lucide-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import { useTyped } from './use-inline-text.ts'
import styles from './Select.module.css'

export type TagInputProps = Omit<FieldProps, 'required'> & {
  value: readonly string[]
  /** Validates one or several typed or pasted texts. */
  validate: (texts: readonly string[]) => string | null
  onAdd: (texts: readonly string[]) => void
  onRemove: (tag: string) => void
  placeholder?: string
  disabled?: boolean
}

/** Words as chips followed by a field: Enter, comma, Tab and blur add the text; pasted text is split. */
export function TagInput(props: TagInputProps) {
  const { value, validate, onAdd, onRemove, placeholder, error, ...field } = props
  const disabled = props.disabled || Boolean(props.reason)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const isTyped = text.trim() !== ''

  function add(input: string) {
    const refused = validate(partsOf(input))
    setProblem(refused)
    setText(refused === null ? '' : input)
    if (refused === null) onAdd(partsOf(input))
  }
  useTyped(isTyped, { text, validate: input => validate(partsOf(input)), onApply: add }, setProblem)

  function key(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const adds = event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey && isTyped)
    if (adds) {
      event.preventDefault()
      add(text)
    }
    if (event.key === 'Backspace' && text === '') {
      const last = value.at(-1)
      if (last !== undefined) onRemove(last)
    }
    if (event.key !== 'Escape' || (text === '' && problem === null)) return
    event.stopPropagation()
    setText('')
    setProblem(null)
  }

  return (
    <Field {...field} error={problem ?? error ?? null}>
      {ids => (
        <div className={styles['tags']} data-disabled={disabled || undefined}>
          {value.map(tag => (
            <span key={tag} className={styles['chip']} title={visibleText(tag)}>
              <span className={styles['word']}>{visibleText(tag)}</span>
              {!disabled && (
                <button
                  type="button"
                  aria-label={`Remove ${visibleText(tag)}`}
                  className={styles['remove']}
                  onClick={() => {
                    onRemove(tag)
                    // The removed chip's button had the focus.
                    input.current?.focus()
                  }}
                >
                  <X size={12} aria-hidden />
                </button>
              )}
            </span>
          ))}
          <input
            ref={input}
            id={ids.id}
            value={text}
            disabled={disabled}
            placeholder={value.length === 0 ? placeholder : undefined}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={ids.invalid || undefined}
            aria-describedby={ids.describedBy}
            data-applied={isTyped ? undefined : ''}
            onKeyDown={key}
            onPaste={event => {
              const pasted = event.clipboardData.getData('text')
              if (partsOf(pasted).length < 2) return
              event.preventDefault()
              add(`${text}${pasted}`)
            }}
            onChange={({ target }) => {
              setProblem(null)
              if (target.value.includes(',')) add(target.value)
              else setText(target.value)
            }}
            onBlur={() => {
              if (isTyped) add(text)
              else setText('')
            }}
          />
        </div>
      )}
    </Field>
  )
}

/** Commas, tabs and line breaks separate words. */
function partsOf(text: string): string[] {
  return text
    .split(/[,\t\r\n]/)
    .map(part => part.trim())
    .filter(part => part !== '')
}
