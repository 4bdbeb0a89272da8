import { hasHidden, visibleText } from '@cadmus/model/visible-text'
import { Maximize2 } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, useState, type ChangeEvent, type KeyboardEvent } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { IconButton } from './IconButton.tsx'
import { TextArea } from './TextArea.tsx'
import { classNames } from './class-names.ts'
import { useUiSettings } from './settings.ts'
import { useTyped } from './use-typed.ts'
import styles from './Inline.module.css'

export type Validate = (value: string) => string | null | Promise<string | null>
export type InlineTextProps = {
  /** The property's name. */
  label: string
  value: string
  /** Whose property it is: when that changes, nothing is left of what was typed for the one before. */
  subject?: string | undefined
  /** The rule's sentence, or null; asked 400 ms after the last key and before applying. */
  validate?: Validate
  /** Takes the value. A rejection shows nothing here (the caller says why) and the old value comes back. */
  onApply: (value: string) => void | Promise<void>
  /** Offers a pop-up editor with several lines. */
  multiline?: boolean
  mono?: boolean
  placeholder?: string
}

/** Text that becomes a field when pressed: Enter applies, Escape reverts, leaving applies what changed. Line breaks are kept. */
export function InlineText(props: InlineTextProps) {
  const { label, value, subject, validate, multiline, mono, placeholder } = props
  const id = useId()
  const [text, setText] = useState(value)
  const [known, setKnown] = useState({ value, subject })
  const [error, setError] = useState<string | null>(null)
  /** What was not taken when the field was left: nobody has to type it again. */
  const [refused, setRefused] = useState<string | null>(null)
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const [large, setLarge] = useState(false)
  const { editorDebounce } = useUiSettings()
  const latest = useRef({ text: value, subject })
  // The value changed elsewhere (saved, another version), or it is another's: show it.
  if (value !== known.value || subject !== known.subject) {
    setKnown({ value, subject })
    setText(value)
    setError(null)
    setRefused(null)
    setLarge(false)
  }
  useLayoutEffect(() => {
    latest.current = { text, subject }
  }, [text, subject])
  /** Whether an answer that was waited for is still about what is shown. */
  const isShown = () => latest.current.subject === subject

  useEffect(() => {
    if (!validate || text === value) return
    const timer = setTimeout(async () => {
      const problem = await validate(text)
      if (latest.current.text === text && latest.current.subject === subject) setError(problem)
    }, editorDebounce)
    return () => clearTimeout(timer)
  }, [text, value, subject, validate, editorDebounce])

  useTyped(text !== value, { text, validate, onApply: props.onApply }, problem => isShown() && setError(problem))

  function change(next: string) {
    if (!isShown()) return
    latest.current = { text: next, subject }
    setText(next)
    setRefused(null)
    if (next === value) setError(null)
  }

  async function apply(next: string) {
    if (next === value) return
    const problem = (await validate?.(next)) ?? null
    if (problem !== null) {
      // Typed on meanwhile: that is judged by itself.
      if (!isShown() || latest.current.text !== next) return
      // The old value is back, the sentence says why the new one was not taken.
      change(value)
      setError(problem)
      setRefused(next)
      return
    }
    try {
      await props.onApply(next)
    } catch {
      change(value)
    }
  }

  function key(event: KeyboardEvent) {
    // In a field of several lines Shift+Enter starts a new one.
    if (event.key === 'Enter' && !(multiline && event.shiftKey)) {
      event.preventDefault()
      void apply(text)
    }
    if (event.key !== 'Escape' || (text === value && error === null)) return
    event.stopPropagation()
    change(value)
    setError(null)
  }

  /** What stands there untouched is no longer about what was refused before. */
  function leave() {
    if (text !== value) return void apply(text)
    setError(null)
    setRefused(null)
  }

  function again(typed: string) {
    change(typed)
    setError(error)
    input.current?.focus()
  }

  const field = {
    'aria-label': label,
    // The field holds the text itself, which may look like another.
    title: hasHidden(value) ? visibleText(value, { lines: true }) : undefined,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}-error` : undefined,
    // What is typed and not applied is the field's own to undo.
    'data-applied': text === value ? '' : undefined,
    value: text,
    placeholder,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => change(event.target.value),
    onKeyDown: key,
    onBlur: leave,
  }
  return (
    <div className={styles['editor']}>
      {multiline ? (
        <textarea {...field} ref={input} rows={1} className={classNames(styles['input'], styles['lines'])} />
      ) : (
        <input {...field} ref={input} className={classNames(styles['input'], mono && styles['mono'])} />
      )}
      {multiline && (
        <IconButton
          label={`Edit ${label} in a larger field`}
          icon={Maximize2}
          className={styles['large']}
          onClick={() => setLarge(true)}
        />
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className={styles['error']}>
          {error}
        </p>
      )}
      {error && refused !== null && refused.trim() !== '' && (
        <Button variant="quiet" onClick={() => again(refused)}>
          Edit what was typed
        </Button>
      )}
      {large && (
        <LargeEditor
          label={label}
          value={text}
          validate={validate}
          onClose={() => setLarge(false)}
          onSave={next => {
            setLarge(false)
            change(next)
            void apply(next)
          }}
        />
      )}
    </div>
  )
}

type LargeEditorProps = {
  label: string
  value: string
  validate: Validate | undefined
  onClose: () => void
  onSave: (value: string) => void
}

function LargeEditor({ label, value, validate, onClose, onSave }: LargeEditorProps) {
  const [text, setText] = useState(value)
  const [error, setError] = useState<string | null>(null)

  async function save() {
    const problem = (await validate?.(text)) ?? null
    if (problem === null) onSave(text)
    else setError(problem)
  }

  return (
    <Dialog
      title={label}
      onClose={onClose}
      entered={text !== value}
      footer={
        <>
          <Button size="dialog" onClick={onClose}>
            Cancel
          </Button>
          <Button size="dialog" variant="primary" onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <TextArea label={label} hideLabel rows={10} value={text} error={error} onChange={setText} />
    </Dialog>
  )
}
