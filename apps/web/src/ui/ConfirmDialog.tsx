import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { visibleText } from '@cadmus/model/display'
import { useRef, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { useDialogMark, useReturn } from './dialog-focus.ts'
import styles from './Dialog.module.css'

export type ConfirmDialogProps = {
  title: string
  text: ReactNode
  /** Null: there is only the button that closes it. */
  confirmLabel: string | null
  cancelLabel?: string
  /** A third action, such as Save. */
  alternative?: { label: string; run: () => void }
  danger?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks for confirmation of an irreversible action. Cancel is focused initially. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  const finalFocus = useReturn()
  useDialogMark()
  return (
    <Base.Root
      open
      onOpenChange={open => {
        if (!open) props.onCancel()
      }}
    >
      <Base.Portal>
        {/* `forceRender` makes the dialog modal even above another dialog. */}
        <Base.Backdrop forceRender className={styles['backdrop']} />
        <Base.Viewport className={styles['viewport']}>
          <Base.Popup className={styles['popup']} style={{ width: 420 }} initialFocus={cancel} finalFocus={finalFocus}>
            <header className={styles['header']}>
              <Base.Title className={styles['title']}>{visibleText(props.title)}</Base.Title>
            </header>
            <div className={styles['body']}>
              <Base.Description render={<div />} className={styles['question']}>
                {typeof props.text === 'string' ? visibleText(props.text, { lines: true }) : props.text}
              </Base.Description>
            </div>
            <footer className={styles['footer']}>
              <Button ref={cancel} size="dialog" onClick={props.onCancel}>
                {props.cancelLabel ?? (props.confirmLabel === null ? 'Close' : 'Cancel')}
              </Button>
              {props.alternative && (
                <Button size="dialog" onClick={props.alternative.run}>
                  {props.alternative.label}
                </Button>
              )}
              {props.confirmLabel !== null && (
                <Button size="dialog" variant={props.danger ? 'danger' : 'primary'} onClick={props.onConfirm}>
                  {props.confirmLabel}
                </Button>
              )}
            </footer>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
