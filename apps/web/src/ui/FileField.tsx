import { eitherOf, visibleText } from '@cadmus/model/display'
import { FileUp, X } from 'lucide-react'
import { useId, useRef, useState, type DragEvent } from 'react'
import { Button } from './Button.tsx'
import { IconButton } from './IconButton.tsx'
import { reasons } from './reasons.ts'
import styles from './FileField.module.css'

export type FileFieldProps = {
  label: string
  /** Extensions with leading dots, e.g. ['.zip']. */
  accept: readonly string[]
  file: File | null
  onChange: (file: File | null) => void
  error?: string | null
  disabled?: boolean
  required?: boolean
}

/** File input by drop or dialog; refuses other file extensions with a reason. */
export function FileField({
  label,
  accept,
  file,
  onChange,
  error,
  disabled = false,
  required = false,
}: FileFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const problem = refused ?? error

  function take(candidate: File | undefined) {
    if (!candidate) return
    const fits = accept.some(ending => candidate.name.toLowerCase().endsWith(ending))
    setRefused(fits ? null : `"${visibleText(candidate.name)}" is not a ${eitherOf(accept)} file.`)
    onChange(fits ? candidate : null)
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    if (!disabled) take(event.dataTransfer.files[0])
  }

  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        {label}
        {required && (
          <span className={styles['required']} aria-hidden>
            *
          </span>
        )}
      </label>
      <div
        className={styles['zone']}
        data-over={over || undefined}
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <input
          ref={input}
          id={id}
          type="file"
          accept={accept.join(',')}
          disabled={disabled}
          aria-required={required || undefined}
          aria-describedby={problem ? `${id}-error` : undefined}
          className="visually-hidden"
          tabIndex={-1}
          onChange={event => {
            take(event.target.files?.[0])
            event.target.value = ''
          }}
        />
        <FileUp size={20} strokeWidth={1.5} aria-hidden />
        {file ? (
          <p className={styles['name']}>
            <strong>{visibleText(file.name)}</strong> <span>{sizeOf(file.size)}</span>
          </p>
        ) : (
          <p>Drop a {eitherOf(accept)} file here</p>
        )}
        <div className={styles['buttons']}>
          <Button disabled={disabled && reasons.busy} onClick={() => input.current?.click()}>
            {file ? 'Choose another file' : 'Choose file'}
          </Button>
          {file && (
            <IconButton
              label="Remove file"
              icon={X}
              disabled={disabled && reasons.busy}
              onClick={() => onChange(null)}
            />
          )}
        </div>
      </div>
      {problem && (
        <p id={`${id}-error`} role="alert" className={styles['error']}>
          {problem}
        </p>
      )}
    </div>
  )
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
