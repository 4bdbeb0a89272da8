import { useEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { Button } from './Button.tsx'
import { Dialog, fieldWithin, type DialogProps } from './Dialog.tsx'
import styles from './StepDialog.module.css'

const boxes = '[role=checkbox]:not([data-disabled], [role=grid] *)'

export type StepDialogProps = {
  title: string
  /** The names of the steps that will be gone through, in order; `current` is an index into them. */
  steps: readonly string[]
  current: number
  error?: string | null
  width?: number
  onCancel: () => void
  /** Something was entered: Escape and the close button ask before it is lost. */
  entered: boolean
  /** Absent on the first step. */
  onBack?: (() => void) | undefined
  onNext: () => void
  /** Why Next or Finish is not possible; false when it is. */
  blocked?: string | boolean
  /** The last step shows Finish instead of Next. */
  last: boolean
  finishLabel?: string
  busy?: boolean
  /** While it is busy it can be left all the same: Cancel, Escape and the close button work. */
  leavable?: boolean
  /** What is asked before what was entered is lost, where it is not about that. */
  leaving?: DialogProps['leaving']
  children: ReactNode
}

/**
 * The frame of a wizard: where one is, Cancel, Back, Next, and Finish on the last step. Enter in a field goes on (on a picker it opens the list), Ctrl+Enter from
 * anywhere; each step starts in its first field, and none changes the size.
 */
export function StepDialog(props: StepDialogProps) {
  const { title, steps, current, error, width = 640, last, busy = false, blocked = false, onNext } = props
  const held = busy && props.leavable !== true
  const page = `${title}: ${steps[current] ?? ''}`
  const content = useRef<HTMLDivElement>(null)
  useFirstField(content, current)

  function key(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
    const anywhere = event.ctrlKey || event.metaKey
    const isChoice = event.target instanceof HTMLElement && event.target.matches('[role=radio], [role=checkbox]')
    // A choice does nothing on Enter itself, and says so by preventing what the browser would do.
    if (event.defaultPrevented && !isChoice) return
    if (!anywhere && !goesOn(event.target, content.current)) return
    event.preventDefault()
    if (!busy && blocked === false) onNext()
  }

  return (
    <Dialog
      title={title}
      description={`Step ${current + 1} of ${steps.length}: ${steps[current] ?? ''}`}
      onClose={props.onCancel}
      entered={props.entered}
      onKeyDown={key}
      width={width}
      error={error ?? null}
      busy={held}
      {...(props.leaving ? { leaving: props.leaving } : {})}
      footer={
        <>
          <Button size="dialog" disabled={held} onClick={props.onCancel} className={styles['cancel']}>
            Cancel
          </Button>
          <Button size="dialog" disabled={busy || !props.onBack} onClick={props.onBack}>
            Back
          </Button>
          <Button
            size="dialog"
            variant="primary"
            data-tour={`${page}: on`}
            busy={busy}
            disabled={blocked}
            onClick={onNext}
          >
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
      <div ref={content} data-tour={page} className={styles['content']}>
        {props.children}
      </div>
    </Dialog>
  )
}

/** Each step starts in its first field; one whose content is still read, as soon as that is there and where the focus was left alone. */
function useFirstField(content: RefObject<HTMLElement | null>, current: number): void {
  const shown = useRef(current)
  const awaited = useRef<{ from: Element | null } | null>(null)

  useEffect(() => {
    const isNew = shown.current !== current
    shown.current = current
    const { activeElement } = document
    if (isNew) awaited.current = { from: activeElement }
    if (awaited.current === null) return
    const isLost = activeElement?.matches('body, :disabled') === true
    const isLeftAlone = isLost || activeElement === awaited.current.from || activeElement?.matches('[role=dialog]')
    // A file has no field: its button has the focus where the one that was pressed can be pressed no more.
    const button = isNew && isLost ? content.current?.querySelector('button') : null
    const place = firstChoice(content.current) ?? button
    if (place || !isLeftAlone) awaited.current = null
    // Choices count themselves once they are there: one that has the focus before that is lost to Tab and the arrows.
    if (isLeftAlone) queueMicrotask(() => place?.focus())
  })
}

/** The first field, or the first box of a step that has only boxes; those of a table's rows are walked to by its arrows. */
function firstChoice(content: HTMLElement | null): HTMLElement | null {
  return fieldWithin(content) ?? content?.querySelector<HTMLElement>(boxes) ?? null
}

/** A field of the step itself: not of a list that is open over it, and not of a form inside it, which has an Enter of its own. */
function goesOn(target: EventTarget, content: HTMLElement | null): boolean {
  if (!(target instanceof HTMLElement) || !content?.contains(target) || target.closest('form')) return false
  return target.matches('input, [role=radio], [role=checkbox]')
}
