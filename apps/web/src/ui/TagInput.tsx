import { X } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import { addTags } from './tags.ts'
import styles from './Select.module.css'

export type TagInputProps = FieldProps & {
  value: readonly string[]
  onChange: (value: string[]) => void
  placeholder?: string
  disabled?: boolean
}

/** A list of texts: Enter, comma or Tab adds, Backspace in the empty field removes the last. */
export function TagInput({ value, onChange, placeholder, disabled = false, ...field }: TagInputProps) {
  const [text, setText] = useState('')

  function commit(): boolean {
    const next = addTags(value, text)
    setText('')
    if (next.length === value.length) return false
    onChange(next)
    return true
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault()
      commit()
    } else if (event.key === 'Tab' && !event.shiftKey && text.trim() !== '') {
      if (commit()) event.preventDefault()
    } else if (event.key === 'Backspace' && text === '' && value.length > 0) {
      onChange(value.slice(0, -1))
    }
  }

  return (
    <Field {...field}>
      {ids => (
        <div className={styles['tags']}>
          {value.map(tag => (
            <span key={tag} className={styles['chip']}>
              {tag}
              <button
                type="button"
                aria-label={`Remove ${tag}`}
                disabled={disabled}
                className={styles['remove']}
                onClick={() => onChange(value.filter(other => other !== tag))}
              >
                <X size={12} aria-hidden />
              </button>
            </span>
          ))}
          <input
            id={ids.id}
            value={text}
            placeholder={value.length === 0 ? placeholder : undefined}
            disabled={disabled}
            aria-describedby={ids.describedBy}
            autoComplete="off"
            onChange={event => setText(event.target.value)}
            onKeyDown={press}
            onBlur={commit}
          />
        </div>
      )}
    </Field>
  )
}
