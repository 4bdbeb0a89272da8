import { hasHidden, visibleText } from '@cadmus/model/display'
import { Maximize2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import { ConcurrentValue, OverwrittenValue, RefusedText } from './InlineNotes.tsx'
import { CloseButton, Dialog } from './Dialog.tsx'
import { IconButton } from './IconButton.tsx'
import { TextArea } from './TextArea.tsx'
import { classNames } from './class-names.ts'
import { useReturnedInput } from './return-input.ts'
import { type InlineTextValue, type Shown, useInlineText, type Validate } from './use-inline-text.ts'
import styles from './Inline.module.css'

export type InlineTextProps = InlineTextValue & {
  mono?: boolean
  placeholder?: string
}

/**
 * Text that becomes a field when clicked: Enter applies, Escape reverts, blur applies changes. Line breaks are kept;
 * `multiline` also offers a larger editor.
 */
export function InlineText(props: InlineTextProps) {
  const { label, value, subject, validate, multiline, mono, placeholder } = props
  const id = useId()
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const { text, error, refused, concurrent, change, apply, again, props: shared } = useInlineText(props, input)
  // Value and owner for which the large editor was opened. It stays open if the value changes, because its text is not
  // stored.
  const [large, setLarge] = useState<Shown | null>(null)

  const field = {
    ...shared,
    'aria-label': label,
    // The field holds the original text, which may be displayed like a different text.
    title: hasHidden(value) ? visibleText(value, { lines: true }) : undefined,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error || refused ? `${id}-error` : undefined,
    placeholder,
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
          onClick={() => setLarge({ value, subject })}
        />
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className={styles['error']}>
          {error}
        </p>
      )}
      {concurrent !== null && <ConcurrentValue value={concurrent} />}
      {refused && <RefusedText {...refused} id={`${id}-error`} onEdit={again} />}
      {large !== null && large.subject === subject && (
        <LargeEditor
          label={label}
          opened={text}
          concurrent={large.value === value ? null : value}
          validate={validate}
          onClose={() => setLarge(null)}
          onSave={next => {
            setLarge(null)
            change(next)
            if (next !== value) void apply(next)
          }}
        />
      )}
    </div>
  )
}

type LargeEditorProps = {
  label: string
  opened: string
  /** The current value if it differs from the one for which the editor was opened. */
  concurrent: string | null
  validate: Validate | undefined
  onClose: () => void
  onSave: (value: string) => void
}

function LargeEditor({ label, opened, concurrent, validate, onClose, onSave }: LargeEditorProps) {
  const [before] = useState(opened)
  const [text, setText] = useState(before)
  const [error, setError] = useState<string | null>(null)
  const decided = useReturnedInput(text === before ? null : text, label)

  async function save() {
    const problem = (await validate?.(text)) ?? null
    if (problem !== null) return setError(problem)
    decided()
    onSave(text)
  }

  function changeText(next: string) {
    setText(next)
    // The error concerned the previous text.
    setError(null)
  }

  function close() {
    decided()
    onClose()
  }

  return (
    <Dialog
      title={label}
      onClose={close}
      entered={text !== before}
      footer={
        <>
          <CloseButton />
          <Button size="dialog" variant="primary" onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      {concurrent !== null && <OverwrittenValue value={concurrent} />}
      <TextArea label={label} hideLabel rows={10} value={text} error={error} onChange={changeText} />
    </Dialog>
  )
}
