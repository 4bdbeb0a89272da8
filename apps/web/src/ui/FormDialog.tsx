import { useId, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import { CloseButton, Dialog, type DialogProps } from './Dialog.tsx'
import type { Reason } from './reasons.ts'
import styles from './Dialog.module.css'

export type FormDialogProps = Omit<DialogProps, 'footer'> & {
  /** Label of the primary button. */
  submitLabel: string
  closeLabel?: string
  /** Why the form cannot be submitted. */
  blocked?: Reason
  /** Can be closed while busy. */
  leavable?: boolean
  onSubmit: () => void
}

/** A dialog of fields with one primary button, which Enter in a text field presses, and Ctrl+Enter anywhere. */
export function FormDialog(props: FormDialogProps) {
  const { submitLabel, closeLabel, blocked, leavable = false, busy = false, onSubmit, children, ...dialog } = props
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  return (
    <Dialog
      {...dialog}
      busy={busy && !leavable}
      onKeyDown={event => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        form.current?.requestSubmit()
      }}
      footer={
        <>
          <CloseButton {...(closeLabel === undefined ? {} : { label: closeLabel })} />
          <Button size="dialog" variant="primary" type="submit" form={id} busy={busy} disabled={blocked}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={form}
        noValidate
        className={styles['fields']}
        onSubmit={event => {
          event.preventDefault()
          // Overlays within the form are children in React although not in the DOM.
          if (event.target === event.currentTarget && !busy && !blocked) onSubmit()
        }}
      >
        {children}
      </form>
    </Dialog>
  )
}

/**
 * Runs the submission of a dialog. `failure`: why the last one failed, until `reset`; null without one. `before`: why a submission
 * before the dialog failed.
 */
export function useSubmission(before: string | null = null) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(before)
  return {
    busy,
    failure,
    /** Call it when the input that caused the failure changes. */
    reset: () => setFailure(null),
    /** Resolves to whether the work succeeded; it may also resolve to the reason why not. */
    async submit(work: () => Promise<string | undefined | void>): Promise<boolean> {
      setBusy(true)
      setFailure(null)
      try {
        const reason = await work()
        setFailure(reason ?? null)
        return reason === undefined
      } catch (error) {
        setFailure(error)
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
