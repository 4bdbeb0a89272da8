import { useEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { Button } from './Button.tsx'
import { CloseButton, Dialog, fieldWithin, type DialogProps } from './Dialog.tsx'
import { classNames } from './class-names.ts'
import { reasons, type Reason } from './reasons.ts'
import { tip } from './Tooltip.tsx'
import styles from './StepDialog.module.css'

const boxes = '[role=checkbox]:not([data-disabled], [role=grid] *)'

export type StepDialogProps = {
  title: string
  /** Names of the steps, in order; `current` is an index into them. */
  steps: readonly string[]
  current: number
  error?: string | null
  width?: number
  /** The content takes the height of the window. */
  tall?: boolean
  onCancel: () => void
  /** The dialog has input: closing it asks for confirmation. */
  entered: boolean
  /** Undefined on the first step. */
  onBack?: (() => void) | undefined
  onNext: () => void
  /** Goes on to the last step; absent while a step before it has an open question. */
  skip?: { label: string; run: () => void } | undefined
  /** Reason why Next or Finish is unavailable; false if it is available. */
  blocked?: Reason
  /** The last step shows Finish instead of Next. */
  last: boolean
  finishLabel?: string
  busy?: boolean
  /** Cancel, Escape and the close button are available even while busy. */
  leavable?: boolean
  /** Texts of the confirmation before closing, unless it is about input. */
  leaving?: DialogProps['leaving']
  children: ReactNode
}

/**
 * Frame of a wizard: step list, Cancel, Back, Next, and Finish on the last step. Enter in a field continues (on a
 * picker it opens the list; on a radio button it also chooses, if nothing is chosen), Ctrl+Enter continues from
 * anywhere, Ctrl+Shift+Enter to the last step. Each step focuses its first field; the size is constant.
 */
export function StepDialog(props: StepDialogProps) {
  const { title, steps, current, error, width = 640, last, busy = false, blocked, onNext, skip } = props
  const held = busy && props.leavable !== true
  const page = `${title}: ${steps[current] ?? ''}`
  const content = useRef<HTMLDivElement>(null)
  useFirstField(content, current)

  function key(event: KeyboardEvent<HTMLElement>) {
    const anywhere = event.ctrlKey || event.metaKey
    // A key that is held down answers one step only.
    if (event.key !== 'Enter' || event.altKey || event.repeat) return
    if (event.shiftKey) {
      if (anywhere && !busy) skip?.run()
      return
    }
    const isChoice = event.target instanceof HTMLElement && event.target.matches('[role=radio], [role=checkbox]')
    // Radio buttons prevent the default of Enter without using it.
    if (event.defaultPrevented && !isChoice) return
    if (!anywhere && !goesOn(event.target, content.current)) return
    event.preventDefault()
    if (busy || blocked) return
    if (isOpenQuestion(event.target)) event.target.click()
    onNext()
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
          <CloseButton className={styles['cancel']} />
          {skip && (
            <Button
              size="dialog"
              disabled={busy && reasons.busy}
              onClick={skip.run}
              {...tip(skip.label, 'mod+shift+enter')}
            >
              {skip.label}
            </Button>
          )}
          <Button
            size="dialog"
            disabled={(busy && reasons.busy) || (!props.onBack && 'This is the first step.')}
            onClick={props.onBack}
          >
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
      <div ref={content} data-tour={page} className={classNames(styles['content'], props.tall && styles['tall'])}>
        {props.children}
      </div>
    </Dialog>
  )
}

/**
 * Focuses the first field of a step; if the content is still loading, as soon as it is present and the user has not
 * moved the focus.
 */
function useFirstField(content: RefObject<HTMLElement | null>, current: number): void {
  const shown = useRef(current)
  const awaited = useRef<{ from: Element | null } | null>(null)

  useEffect(() => {
    const isNew = shown.current !== current
    shown.current = current
    const { activeElement } = document
    if (isNew) awaited.current = { from: activeElement }
    if (awaited.current === null) return
    const isLost = activeElement?.matches('body, [aria-disabled=true]') === true
    const isLeftAlone = isLost || activeElement === awaited.current.from || activeElement?.matches('[role=dialog]')
    // A file step has no field: its button receives the focus if the pressed button is now disabled.
    const button = isNew && isLost ? content.current?.querySelector('button') : null
    const place = firstChoice(content.current) ?? button
    if (place || !isLeftAlone) awaited.current = null
    // Radio buttons register after mounting; focused earlier, they are skipped by Tab and arrow keys.
    if (isLeftAlone) queueMicrotask(() => place?.focus())
  })
}

/**
 * The first field, or the first box or button of a step of open choices; boxes in table rows are reached by arrow
 * keys.
 */
function firstChoice(content: HTMLElement | null): HTMLElement | null {
  const field = fieldWithin(content)
  if (field?.matches('[role=radio]:not([data-checked])') === false) return field
  return content?.querySelector<HTMLElement>(`[role=radio], ${boxes}`) ?? null
}

/** A radio button of a group without a choice: Enter chooses it and goes on. */
function isOpenQuestion(target: EventTarget): target is HTMLElement {
  if (!(target instanceof HTMLElement) || !target.matches('[role=radio]')) return false
  return target.closest('[role=radiogroup]')?.querySelector('[role=radio][data-checked]') === null
}

/** A field of the step itself, not of an overlay or a nested form with its own Enter. */
function goesOn(target: EventTarget, content: HTMLElement | null): boolean {
  if (!(target instanceof HTMLElement) || !content?.contains(target) || target.closest('form')) return false
  return target.matches('input, [role=radio], [role=checkbox]')
}
