import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import styles from './StepDialog.module.css'

export type StepDialogProps = {
  title: string
  /** The names of the steps in order; `current` is an index into them. */
  steps: readonly string[]
  current: number
  error?: string | null
  width?: number
  onCancel: () => void
  /** Absent on the first step. */
  onBack?: (() => void) | undefined
  onNext: () => void
  /** Why Next or Finish is not possible; false when it is. */
  blocked?: string | boolean
  /** The last step shows Finish instead of Next. */
  last: boolean
  finishLabel?: string
  busy?: boolean
  children: ReactNode
}

/** The frame of a wizard: where one is, Cancel, Back, Next, and Finish on the last step. */
export function StepDialog(props: StepDialogProps) {
  const { title, steps, current, error, width = 640, last, busy = false, blocked = false } = props
  return (
    <Dialog
      title={title}
      description={`Step ${current + 1} of ${steps.length}: ${steps[current] ?? ''}`}
      onClose={props.onCancel}
      width={width}
      error={error ?? null}
      busy={busy}
      footer={
        <>
          <Button size="dialog" disabled={busy} onClick={props.onCancel} className={styles['cancel']}>
            Cancel
          </Button>
          <Button size="dialog" disabled={busy || !props.onBack} onClick={props.onBack}>
            Back
          </Button>
          <Button size="dialog" variant="primary" busy={busy} disabled={blocked} onClick={props.onNext}>
            {last ? (props.finishLabel ?? 'Finish') : 'Next'}
          </Button>
        </>
      }
    >
      <ol className={styles['steps']} aria-hidden>
        {steps.map((step, index) => (
          <li key={step} data-state={index < current ? 'done' : index === current ? 'current' : 'ahead'} />
        ))}
      </ol>
      <div className={styles['content']}>{props.children}</div>
    </Dialog>
  )
}
